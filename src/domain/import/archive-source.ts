import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { text } from "node:stream/consumers";
import { createTarDecoder } from "modern-tar";
import type { ParsedTarEntry } from "modern-tar";
import { HubError } from "../../errors.ts";
import { readEntryName } from "../export/archive-layout.ts";
import { jsonEntries } from "./json-rows.ts";
import { isRecord } from "./shape.ts";
import { HeadReader, longRow } from "./source.ts";
import type { Source, SourceRow } from "./source.ts";

/** A complete archive (domain/export/archive-layout.ts); `open` starts reading it from its beginning. */
export function archiveSource(open: () => Promise<Readable>): Source {
  return {
    async head() {
      const reader = new HeadReader();
      for await (const entry of entriesOf(await open())) {
        const kind = readEntryName(entry.header.name)?.kind;
        if (kind === "channel" || kind === "items")
          for await (const one of jsonEntries(bytesOf(entry))) reader.take(one);
        else if (kind === "file") reader.count();
        await skip(entry);
      }
      return reader.head();
    },
    rows: () => rowsOf(open),
  };
}

/** Is it an archive? The first bytes of a tar file are a name, those of a JSON text never are one of ours. */
export function looksLikeArchive(start: Buffer): boolean {
  return start.length >= 262 && start.toString("latin1", 257, 262) === "ustar";
}

async function* rowsOf(open: () => Promise<Readable>): AsyncGenerator<SourceRow> {
  let file: SourceRow | undefined;
  for await (const entry of entriesOf(await open())) {
    const name = readEntryName(entry.header.name);
    if (file && name?.kind === "blob") yield { ...file, bytes: () => Promise.resolve(bytesOf(entry)) };
    else if (file) yield file;
    file = undefined;
    if (name?.kind === "file") file = { section: "file", record: await formIn(entry) };
    else if (name?.kind === "channel" || name?.kind === "items") {
      for await (const one of jsonEntries(bytesOf(entry))) yield* longRow(one);
    }
    await skip(entry);
  }
  if (file) yield file;
}

async function* entriesOf(bytes: Readable): AsyncGenerator<ParsedTarEntry> {
  const web = Readable.toWeb(bytes) as ReadableStream<Uint8Array<ArrayBuffer>>;
  try {
    yield* web.pipeThrough(createTarDecoder({ strict: true }));
  } catch (cause) {
    if (cause instanceof HubError) throw cause;
    throw new HubError("invalid", "This is not a whole archive: it cannot be read to its end.", {
      field: "file",
      cause,
    });
  } finally {
    bytes.destroy();
  }
}

function bytesOf(entry: ParsedTarEntry): Readable {
  return Readable.fromWeb(entry.body as ReadableStream);
}

/** The decoder goes on only when the body of an entry is read; it does not always when one is cancelled. */
async function skip(entry: ParsedTarEntry): Promise<void> {
  if (!entry.body.locked) await entry.body.pipeTo(new WritableStream());
}

const mostBytesOfForm = 64 * 1024 * 1024;

async function formIn(entry: ParsedTarEntry): Promise<Record<string, unknown>> {
  if (entry.header.size > mostBytesOfForm) throw new HubError("too-large", "One record of the archive is too large.");
  try {
    const form: unknown = JSON.parse(await text(bytesOf(entry)));
    return isRecord(form) ? form : {};
  } catch {
    return {};
  }
}
