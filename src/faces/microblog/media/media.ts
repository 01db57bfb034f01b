import { z } from "zod";
import { readPlace, uploadMedia } from "../../../domain/cloud/media.ts";
import { addPiece, beginUpload, finishUpload, uploadStatus } from "../../../domain/cloud/pieces.ts";
import type { File } from "../../../domain/files/types.ts";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { renditionsOf } from "../../../domain/photos/find.ts";
import { HubError } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { mediaErrors, mediaIdIn, mediaInput, sentMedia } from "./media-input.ts";
import { describeMedia } from "./media-metadata.ts";
import { text } from "../parameters.ts";
import { presentMedia } from "./present-media.ts";
import type { MediaAnswers } from "./present-media.ts";

const uploadInput = z.object({
  ...mediaInput,
  album: text("Album to store it in; the usual one unless named."),
  alt_text: text("What is to be seen, in words."),
  command: text(
    "`INIT`, `APPEND`, `FINALIZE` or `STATUS` of an upload in pieces; without it everything comes at once.",
  ),
  media_id: text("Id of the upload that the command is about."),
  segment_index: text("Place of this piece, counted from 0."),
  total_bytes: text("Size of all pieces together."),
  media_type: text("Type of the whole file."),
});

type UploadInput = z.output<typeof uploadInput>;

/** Microblog contract 8.11. */
export const mediaRows = [
  endpoint({
    path: "media/upload",
    methods: ["POST", "PUT"],
    access: "channel",
    writes: true,
    files: ["media"],
    base64: true,
    summary:
      "Stores a picture or another file that only the caller sees until a status uses it; in pieces with `command` INIT, " +
      "APPEND, FINALIZE and STATUS.",
    answer: "Media | Nothing",
    errors: mediaErrors,
    example: {
      alt_text: "An old tree",
      media_data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    },
    input: uploadInput,
    handle: (hub, { channel }, input, exchange) => commandOf(input)(hub, channel, input, exchange),
    present: (shown, exchange) => presentMedia(shown, exchange),
    xml: "media",
  }),
  describeMedia,
];

type Command = (hub: Hub, channel: Channel, input: UploadInput, exchange: Exchange) => Promise<MediaAnswers>;

const commands: Readonly<Record<string, Command>> = {
  "": atOnce,
  INIT: begin,
  APPEND: append,
  FINALIZE: finish,
  STATUS: status,
};

function commandOf({ command = "" }: UploadInput): Command {
  const name = command.trim().toUpperCase();
  const known = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!known) throw new HubError("invalid", "Unknown command.", { field: "command" });
  return known;
}

async function atOnce(hub: Hub, channel: Channel, input: UploadInput, exchange: Exchange): Promise<MediaAnswers> {
  const { staged, ...claims } = await firstOf(hub, input, exchange);
  const type = claims.type || (input.media_type ?? "");
  const place = readPlace(input.album, input.alt_text);
  const file = await uploadMedia(hub, channel, staged, { ...claims, type }, place);
  return fileShown(hub, file.id, file);
}

async function begin(hub: Hub, channel: Channel, input: UploadInput): Promise<MediaAnswers> {
  const totalBytes = wholeNumber(input.total_bytes);
  if (totalBytes === undefined || totalBytes === 0)
    throw new HubError("invalid", "total_bytes parameter is missing.", { field: "total_bytes" });
  const mediaType = (input.media_type ?? "").trim().toLowerCase().slice(0, 100);
  const place = readPlace(input.album, input.alt_text);
  return { id: await beginUpload(hub, channel, { totalBytes, mediaType, ...place }), size: totalBytes };
}

async function append(hub: Hub, channel: Channel, input: UploadInput, exchange: Exchange): Promise<MediaAnswers> {
  const position = wholeNumber(input.segment_index);
  if (position === undefined)
    throw new HubError("invalid", "segment_index parameter is missing.", { field: "segment_index" });
  const { staged } = await firstOf(hub, input, exchange);
  await addPiece(hub, channel, mediaIdIn(input.media_id), position, staged);
  return {};
}

async function finish(hub: Hub, channel: Channel, input: UploadInput): Promise<MediaAnswers> {
  const id = mediaIdIn(input.media_id);
  return fileShown(hub, id, await finishUpload(hub, channel, id));
}

async function status(hub: Hub, channel: Channel, input: UploadInput): Promise<MediaAnswers> {
  const id = mediaIdIn(input.media_id);
  const { total, received, file } = await uploadStatus(hub, channel, id);
  if (file) return { ...(await fileShown(hub, id, file)), progress: 100 };
  return { id, size: total, progress: Math.min(99, Math.floor((100 * received) / total)) };
}

async function firstOf(hub: Hub, { media, media_data }: UploadInput, exchange: Exchange) {
  const [first] = await sentMedia(hub, exchange, { media_data, media });
  if (!first) throw new HubError("invalid", "No media.", { field: "media" });
  return first;
}

async function fileShown(hub: Hub, id: number, file: File): Promise<MediaAnswers> {
  const renditions = await renditionsOf(hub, file.uid, file.hash);
  return { aliases: hub.config.aliasFields, id, size: file.filesize, file, renditions };
}

function wholeNumber(value: string | undefined): number | undefined {
  const read = value?.trim() ?? "";
  return /^\d{1,15}$/.test(read) ? Number(read) : undefined;
}
