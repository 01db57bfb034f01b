import { z } from "zod";
import type { Channel } from "../../domain/identity/channels/channel.ts";
import { ownFile, ownFileBeginning } from "../../domain/files/find.ts";
import { allEntries, listEntries } from "../../domain/files/list.ts";
import type { FileQuery } from "../../domain/files/list.ts";
import { mostAtOnce, readChunk } from "../../domain/files/read.ts";
import type { File } from "../../domain/files/types.ts";
import { fileRecord } from "../../domain/portable/file.ts";
import { HubError } from "../../errors.ts";
import { storedDate } from "../../http/dates.ts";
import type { DateInput } from "../../http/dates.ts";
import { endpoint } from "../../http/endpoint.ts";
import { JsonBytes, JsonStream, JsonText } from "../../http/json-text.ts";
import { given } from "./given.ts";
import { listText } from "./list-text.ts";
import { amount, date, requiredText, text } from "./parameters.ts";

/** Up to so many entries are answered at once; more are written while they are read. */
const fewEntries = 500;

const listInput = z.object({
  filehash: text("Only the file with exactly this hash."),
  filename: text("Only names that contain this, in capital or small letters."),
  filetype: text("Only types that contain this; `multipart/mixed` are directories."),
  start: amount("How many to skip."),
  records: amount("How many to answer at most; 0 is all."),
  since: date("Only what was stored at or after this time."),
  until: date("Only what was stored at or before this time."),
  folder: text("Hash of the directory to list; `/` is the top level."),
});

/** Native contract 6.4 to 6.7. */
export const fileRows = [
  endpoint({
    path: "files",
    methods: ["GET", "POST"],
    access: "channel",
    permission: "view_storage",
    summary: "Lists the channel's file storage, all revisions.",
    answer: "FileList",
    otherNames: { filehash: ["hash"] },
    example: { filename: "notes", records: "20" },
    input: listInput,
    async handle(hub, { channel }, input) {
      const { records = 0 } = input;
      const query = listQuery(channel, input, hub.clock());
      if (records > 0 && records <= fewEntries) return listEntries(hub, channel.channel_id, query, records);
      return allEntries(hub, channel.channel_id, query, records === 0 ? Infinity : records);
    },
    present: (files) =>
      Array.isArray(files)
        ? new JsonText(`{"success":true,"results":[${files.map(({ json }) => json).join(",")}]}`)
        : new JsonStream(listText("results", files, ({ json }) => json)),
  }),
  endpoint({
    path: "filemeta",
    methods: ["GET", "POST"],
    access: "channel",
    permission: "view_storage",
    summary: "A file or directory of the channel, without its bytes.",
    answer: "FileMetaAnswer",
    example: { file_id: "7d93b1e4c05a2286f" },
    input: z.object({
      file_id: requiredText("Hash of the file or directory."),
      revision: amount("Which revision; the newest unless given."),
    }),
    handle: (hub, { channel }, { file_id, revision }) => ownFile(hub, channel.channel_id, file_id, revision),
    present: (file) => ({ attach: fileRecord(file) }),
  }),
  endpoint({
    path: "filedata",
    methods: ["GET", "POST"],
    access: "channel",
    permission: "view_storage",
    summary: "A part of a file's bytes; the file is named by the beginning of its hash.",
    answer: "FilePartAnswer",
    example: { file_id: "7d93b1e4", start: "0", length: "48" },
    input: z.object({
      file_id: requiredText("The beginning of the file's hash."),
      start: amount("The first byte, counted from 0.", Number.MAX_SAFE_INTEGER),
      length: amount("How many bytes; 0 is up to the end, or as many as one answer holds.", mostAtOnce),
    }),
    async handle(hub, { channel }, { file_id, start = 0, length }) {
      const file = await ownFileBeginning(hub, channel.channel_id, file_id);
      return { file, start, bytes: await readChunk(hub, file, start, length || mostAtOnce) };
    },
    present: ({ file, start, bytes }) =>
      withContent(file, bytes, { start: file.is_dir === 1 ? 0 : start, length: bytes.length }),
  }),
  endpoint({
    path: "file",
    methods: ["GET", "POST"],
    access: "channel",
    permission: "view_storage",
    summary: "A whole file of the channel with its bytes, if it is small enough for one answer.",
    answer: "FileAnswer",
    example: { file_id: "7d93b1e4c05a2286f" },
    input: z.object({
      file_id: requiredText("Hash of the file or directory."),
      revision: amount("Which revision; the newest unless given."),
    }),
    async handle(hub, { channel }, { file_id, revision }) {
      const file = await ownFile(hub, channel.channel_id, file_id, revision);
      if (file.filesize > mostAtOnce) throw new HubError("too-large", "The file is too large; use filedata.");
      return { file, bytes: await readChunk(hub, file, 0, mostAtOnce) };
    },
    present: ({ file, bytes }) => withContent(file, bytes),
  }),
];

function listQuery(channel: Channel, input: z.output<typeof listInput>, now: Date): FileQuery {
  const stored = (moment: DateInput | undefined) => storedDate(moment, channel.channel_timezone, now);
  return {
    start: input.start ?? 0,
    ...given({
      hash: input.filehash || undefined,
      filename: input.filename || undefined,
      filetype: input.filetype || undefined,
      since: stored(input.since),
      until: stored(input.until),
      folder: input.folder ? input.folder.replace(/^\/$/, "") : undefined,
    }),
  };
}

/** So many bytes become base64 in one step, whole threes: the text of a part of a file is not held beside its answer. */
const encodedAtOnce = 3 * 64 * 1024;

/** Base64 needs no escaping, so it is put between the two halves of the record, which is written without it. */
function withContent(file: File, bytes: Buffer, more: object = {}): JsonBytes {
  const mark = `"content":"`;
  const written = JSON.stringify({ attach: { ...fileRecord(file, ""), ...more } });
  // Names stand in texts, where a quotation mark is escaped: the mark is found only where it belongs.
  const place = written.indexOf(mark) + mark.length;
  const [before, after] = [Buffer.from(written.slice(0, place)), Buffer.from(written.slice(place))];
  const length = Math.ceil(bytes.length / 3) * 4;
  const all = Buffer.allocUnsafeSlow(before.length + length + after.length);
  before.copy(all);
  for (let from = 0; from < bytes.length; from += encodedAtOnce) {
    const part = bytes.subarray(from, from + encodedAtOnce).toString("base64");
    all.write(part, before.length + (from / 3) * 4, "latin1");
  }
  after.copy(all, before.length + length);
  return new JsonBytes(all);
}
