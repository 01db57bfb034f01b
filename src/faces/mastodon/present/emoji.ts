import type { z } from "zod";
import { picturesOfCodes } from "../../../domain/bodies/picture-codes.ts";
import { emojiUrl } from "../../../domain/proxy/emoji.ts";
import type { User } from "../../../domain/people/users.ts";
import type { CustomEmoji } from "../entities/custom-emoji.ts";

export type EmojiObject = z.infer<typeof CustomEmoji>;

/** The pictures that a stored text has for codes (mastodon contract 11.12). */
export function emojiIn(html: string): EmojiObject[] {
  return [...picturesOfCodes(html)].map(([shortcode, url]) => emojiObject(shortcode, url));
}

/** Those in somebody's name. */
export function emojiOfName(
  baseUrl: string,
  { xchan_emoji: codes, xchan_hash: id }: Pick<User, "xchan_emoji" | "xchan_hash">,
): EmojiObject[] {
  if (codes === "" || !URL.canParse(id)) return [];
  const { host } = new URL(id);
  return codes.split(" ").map((code) => emojiObject(code, emojiUrl({ config: { baseUrl } }, host, code)));
}

function emojiObject(shortcode: string, url: string): EmojiObject {
  return { shortcode, url, static_url: url, visible_in_picker: false, category: null };
}
