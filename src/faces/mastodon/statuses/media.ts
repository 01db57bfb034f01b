import { z } from "zod";
import { readPlace, uploadMedia } from "../../../domain/cloud/media.ts";
import type { File } from "../../../domain/files/types.ts";
import type { Photo } from "../../../domain/photos/columns.ts";
import { renditionsOf } from "../../../domain/photos/find.ts";
import { photoFileUrl } from "../../../domain/photos/urls.ts";
import { HubError } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { MediaAttachment } from "../entities/status.ts";
import { text } from "../parameters.ts";
import { descriptionIn } from "./media-input.ts";

type Upload = { file: File; renditions: readonly Photo[]; description: string; baseUrl: string };

/** Mastodon contract 13.9. */
export const mediaRows = [
  endpoint({
    path: "v2/media",
    aliases: ["v1/media"],
    methods: ["POST"],
    access: "channel",
    scope: "write:media",
    writes: true,
    files: ["file"],
    summary: "Stores a picture or another file that only the caller sees until a post has it.",
    answer: "MediaAttachment",
    input: z.object({ description: text("What is to be seen, in words, up to 1,500 characters.") }),
    async handle(hub, { channel }, { description = "" }, exchange): Promise<Upload> {
      const sent = exchange.files.find(({ name, staged }) => name === "file" && staged.size > 0);
      if (!sent) throw new HubError("invalid", "File is missing", { reason: "validation" });
      const { staged, filename, type } = sent;
      const file = await uploadMedia(
        hub,
        channel,
        staged,
        { filename, type },
        readPlace(undefined, descriptionIn(description)),
      );
      const renditions = await renditionsOf(hub, file.uid, file.hash);
      return { file, renditions, description, baseUrl: hub.config.baseUrl };
    },
    present: presentUpload,
  }),
];

function presentUpload({ file, renditions, description, baseUrl }: Upload): z.infer<typeof MediaAttachment> {
  const inOrder = renditions.toSorted((one, other) => one.imgscale - other.imgscale);
  const largest = inOrder[0];
  const small = inOrder.findLast(({ imgscale }) => imgscale <= 3);
  const [kind = ""] = file.filetype.split("/");
  return {
    id: String(file.id),
    type: kind === "image" || kind === "video" || kind === "audio" ? kind : "unknown",
    url: largest ? photoFileUrl(baseUrl, largest) : `${baseUrl}/attach/${file.hash}`,
    preview_url: small ? photoFileUrl(baseUrl, small) : null,
    remote_url: null,
    preview_remote_url: null,
    text_url: null,
    meta: largest
      ? {
          original: {
            width: largest.width,
            height: largest.height,
            size: `${largest.width}x${largest.height}`,
            aspect: Number((largest.width / largest.height).toFixed(6)),
          },
        }
      : null,
    description: description || null,
    blurhash: null,
  };
}
