import { z } from "zod";
import { changeMedia, dropUnattached, uploadOne } from "../../../domain/cloud/unattached.ts";
import { fileUrl } from "../../../domain/files/urls.ts";
import type { File } from "../../../domain/files/types.ts";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { findMedia } from "../../../domain/items/media/media-ids.ts";
import { mediaOf } from "../../../domain/items/timelines/status-media.ts";
import type { StatusMedia } from "../../../domain/items/timelines/status-media.ts";
import { HubError, missing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { allowance } from "../../../http/allowances.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { id, invalid, text } from "../parameters.ts";
import { presentFile } from "../present/media.ts";
import type { MediaObject } from "../present/media.ts";
import { descriptionIn, focusIn } from "./media-input.ts";

/** A file on its way to the presenter. */
type MediaAnswers = { hub: Hub; known: StatusMedia; url: string; mimetype: string; channelId: number };

const said = {
  description: text("What is to be seen or heard, in words, up to 1,500 characters."),
  focus: text("The point that stays in sight where it is cut: `x,y`, each from -1.0 to 1.0."),
};
const mediaId = z.object({ id: id("Id of the file.") });

/** What is refused of a file in words of its own: applications show nothing else (mastodon contract 13.9). */
const errors = {
  "too-large": [422, "Validation failed: File is too large"],
  not_an_image: "Validation failed: File has contents that are not what they are reported to be",
  image_unreadable: "Validation failed: File cannot be read",
  uploads_unused: [422, "Validation failed: Too many files wait for a post"],
} as const;

/** So many files a channel may send (Mastodon contract 10). */
const sending = allowance({ of: "files of", perMinute: 200 / 30, burst: 200 });

/** Mastodon contract 12.5 and 13.9. */
export const mediaRows = [
  endpoint({
    path: "v2/media",
    aliases: ["v1/media"],
    methods: ["POST"],
    access: "channel",
    scope: "write:media",
    writes: true,
    files: ["file", "thumbnail"],
    errors,
    summary:
      "Stores a picture or another file that only the caller sees until a post has it; unused ones go after a day.",
    answer: "MediaAttachment",
    input: z.object(said),
    async handle(hub, caller, { description = "", focus }, exchange) {
      const [sent, ...more] = exchange.files.filter(({ name, staged }) => name === "file" && staged.size > 0);
      if (!sent) throw new HubError("invalid", "File is missing", { reason: "validation" });
      if (more.length > 0) throw new HubError("invalid", "Only one file at a time", { reason: "validation" });
      if (hub.config.rateLimits) sending(hub, String(caller.channel.channel_id));
      const said = { description: descriptionIn(description), focus: focusIn(focus) };
      return show(hub, caller, await uploadOne(hub, caller.channel, sent, said));
    },
    present,
  }),
  endpoint({
    path: "v1/media/:id",
    methods: ["GET"],
    access: "channel",
    scope: "write:media",
    summary: "A file of the caller.",
    answer: "MediaAttachment",
    example: { id: "5" },
    input: mediaId,
    handle: async (hub, caller, input) => show(hub, caller, await ownFile(hub, caller, input.id)),
    present,
  }),
  endpoint({
    path: "v1/media/:id",
    methods: ["PUT"],
    access: "channel",
    scope: "write:media",
    writes: true,
    files: ["thumbnail"],
    summary: "Says what is to be seen or heard in a file of the caller, and what of a picture stays in sight.",
    answer: "MediaAttachment",
    example: { id: "5", description: "A boat" },
    input: mediaId.extend(said),
    async handle(hub, caller, { description, focus, ...input }) {
      const file = await ownFile(hub, caller, input.id);
      const point = focusIn(focus);
      await changeMedia(hub, caller.channel, {
        ...(description !== undefined && { descriptions: new Map([[file.id, descriptionIn(description)]]) }),
        ...(point && { focuses: new Map([[file.id, point]]) }),
      });
      return show(hub, caller, file);
    },
    present,
  }),
  endpoint({
    path: "v1/media/:id",
    methods: ["DELETE"],
    access: "channel",
    scope: "write:media",
    writes: true,
    summary: "Removes a file that no post has used.",
    answer: "Nothing",
    example: { id: "5" },
    input: mediaId,
    async handle(hub, caller, input) {
      const file = await ownFile(hub, caller, input.id);
      await dropUnattached(hub, caller.channel, file.id);
      if (await findMedia(hub, caller.channel, file.id)) throw invalid("Media is used by a post");
      return {};
    },
  }),
];

async function ownFile(hub: Hub, { channel }: Caller, id: number): Promise<File> {
  const file = await findMedia(hub, channel, id);
  if (!file) throw missing("File");
  return file;
}

async function show(hub: Hub, { channel }: Caller, file: File): Promise<MediaAnswers> {
  const found = (await mediaOf(hub, [file.hash], new Set([channel.xchan_id]))).get(file.hash);
  if (!found) throw missing("File");
  return { hub, known: found, url: fileUrl(hub, file), mimetype: file.filetype, channelId: channel.channel_id };
}

function present({ hub, known, ...file }: MediaAnswers): MediaObject {
  return presentFile(hub, known, file);
}
