import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { text } from "node:stream/consumers";
import { createTarDecoder } from "modern-tar";
import type { ParsedTarEntry } from "modern-tar";
import { HubError, refusal } from "../../../errors.ts";
import { textIn } from "../../identity/records/portable-fields.ts";
import { readEntryName } from "../../export/archive-layout.ts";
import type { ArchiveEntry } from "../../export/archive-layout.ts";
import { ArchiveList } from "./archive-list.ts";
import { foreignArchive } from "./foreign-format.ts";
import { jsonEntries } from "./json-rows.ts";
import { HeadReader, longRow } from "./source.ts";
import type { Source, SourceRow } from "./source.ts";
import { isRecord } from "../../../record-of.ts";

/**
 * A complete archive (domain/export/archive-layout.ts); `open` starts reading it from its beginning. Its head is known only
 * when the whole of it was read and is as it was written.
 */
export function archiveSource(open: () => Promise<Readable>): Source {
  return {
    async head() {
      const reader = new HeadReader();
      const list = new ArchiveList();
      for await (const entry of entriesOf(await open())) await readEntry(entry, reader, list);
      const head = reader.head();
      const listed = list.check(head.channel ? textIn(head.channel, "channel_pubkey") : "");
      return { ...head, ...(!listed && { unlisted: true }) };
    },
    rows: () => rowsOf(open),
  };
}

/** Is it an archive? The first bytes of a tar file are a name, those of a JSON text never are one of ours. */
export function looksLikeArchive(start: Buffer): boolean {
  return start.length >= 262 && start.toString("latin1", 257, 262) === "ustar";
}

async function readEntry(entry: Entry, reader: HeadReader, list: ArchiveList): Promise<void> {
  const { name, kind, size } = entry;
  if (kind === "list" || kind === "seal") return list.take(kind, await shortText(size, entry.bytes()));
  const bytes = list.through(name, entry.bytes());
  if (kind === "format") list.take(kind, await shortText(size, bytes));
  else if (hasRows(kind)) for await (const one of jsonEntries(bytes, name)) reader.take(one);
  else if (kind === "file") reader.count();
  // What nobody wants is read all the same.
  for await (const _ of bytes);
}

async function* rowsOf(open: () => Promise<Readable>): AsyncGenerator<SourceRow> {
  let file: SourceRow | undefined;
  for await (const { name, kind, size, bytes, skip } of entriesOf(await open())) {
    if (file && kind === "blob") yield { ...file, bytes: () => Promise.resolve(Readable.from(bytes())) };
    else if (file) yield file;
    file = undefined;
    if (kind === "file") file = { section: "file", record: await formIn(size, bytes()) };
    else if (hasRows(kind)) {
      for await (const one of jsonEntries(bytes(), name)) yield* longRow(one);
    }
    await skip();
  }
  if (file) yield file;
}

function hasRows(kind: Entry["kind"]): boolean {
  return kind === "channel" || kind === "items" || kind === "elsewhere";
}

type Entry = {
  name: string;
  kind: ArchiveEntry["kind"] | undefined;
  size: number;
  bytes: () => AsyncGenerator<Buffer>;
  /** Passes over what has not been read. */
  skip: () => Promise<void>;
};

async function* entriesOf(bytes: Readable): AsyncGenerator<Entry> {
  const web = Readable.toWeb(bytes) as ReadableStream<Uint8Array<ArrayBuffer>>;
  let name = "its beginning";
  try {
    for await (const entry of web.pipeThrough(createTarDecoder({ strict: true }))) {
      name = entry.header.name;
      const format = foreignArchive(name);
      if (format) throw refusal("export_of_another_program", { format });
      yield {
        name,
        kind: readEntryName(name)?.kind,
        size: entry.header.size,
        bytes: () => bytesOf(entry),
        skip: () => skip(entry),
      };
    }
  } catch (cause) {
    throw breakIn(name, cause);
  } finally {
    bytes.destroy();
  }
}

async function* bytesOf(entry: ParsedTarEntry): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of entry.body) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  } catch (cause) {
    throw breakIn(entry.header.name, cause);
  }
}

/** A disk that fails is no fault of the archive. */
function breakIn(name: string, cause: unknown): unknown {
  if (cause instanceof HubError || (cause instanceof Error && "syscall" in cause)) return cause;
  return refusal("archive_ends_after", { name, cause });
}

/** The decoder goes on only when the body of an entry is read; it does not always when one is cancelled. */
async function skip(entry: ParsedTarEntry): Promise<void> {
  if (!entry.body.locked) await entry.body.pipeTo(new WritableStream());
}

const mostBytesOfForm = 64 * 1024 * 1024;

async function shortText(size: number, bytes: AsyncIterable<Buffer>): Promise<string> {
  if (size > mostBytesOfForm) throw refusal("archive_record_too_large");
  return text(bytes as AsyncIterable<Buffer> & Readable);
}

async function formIn(size: number, bytes: AsyncIterable<Buffer>): Promise<Record<string, unknown>> {
  const given = await shortText(size, bytes);
  try {
    const form: unknown = JSON.parse(given);
    return isRecord(form) ? form : {};
  } catch {
    return {};
  }
}
