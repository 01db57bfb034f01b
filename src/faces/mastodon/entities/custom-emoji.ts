import { z } from "zod";
import { truth, url, words } from "./kinds.ts";

/** Mastodon contract 11.32. */
export const CustomEmoji = z.strictObject({
  shortcode: words("The code, without its colons.", "blobcat"),
  url: url("The picture.", "https://hub.example/proxy/emoji/far.example/blobcat"),
  static_url: url("The same.", "https://hub.example/proxy/emoji/far.example/blobcat"),
  visible_in_picker: truth("Never: it belongs to another server."),
  category: z.null().meta({ description: "None.", examples: [null] }),
});
