import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { HubError, refusal } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { archiveSource, looksLikeArchive } from "./archive-source.ts";
import { foreignFormat } from "./foreign-format.ts";
import { jsonSource } from "./source.ts";
import type { Source } from "./source.ts";

/** How many bytes tell what a file is. */
const startLength = 4096;

type Open = () => Promise<Readable>;

/** The export in a file of the machine that the hub runs on. Throws invalid for what is none. */
export async function fileSource(path: string): Promise<Source> {
  await (await open(path)).close();
  return sourceOf(() => Promise.resolve(createReadStream(path, { highWaterMark: 256 * 1024 })));
}

/** The export in an upload. Throws invalid for what is none. */
export async function blobSource(hub: Hub, blob: string): Promise<Source> {
  return sourceOf(() => hub.blobs.read(blob));
}

async function sourceOf(packed: Open): Promise<Source> {
  const isPacked = (await startOf(packed)).subarray(0, 2).equals(Buffer.from([0x1f, 0x8b]));
  const unpacked: Open = isPacked ? async () => Readable.from(unpack(await packed())) : packed;
  const start = isPacked ? await startOf(unpacked) : await startOf(packed);
  if (looksLikeArchive(start)) return archiveSource(unpacked);
  const format = foreignFormat(start);
  if (format) throw refusal("export_of_another_program", { format });
  return jsonSource(unpacked);
}

async function startOf(from: Open): Promise<Buffer> {
  const bytes: AsyncIterable<Buffer> = await from();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= startLength) break;
  }
  return Buffer.concat(chunks).subarray(0, startLength);
}

/** So much longer than its packed form nothing of ours is. */
const mostTimes = 200;
const alwaysAllowed = 64 * 1024 * 1024;

async function* unpack(packed: Readable): AsyncGenerator<Buffer> {
  let taken = 0;
  let given = 0;
  packed.on("data", (chunk: Buffer) => (taken += chunk.length));
  const unpacked = createGunzip();
  packed.on("error", (error) => unpacked.destroy(error));
  const chunks: AsyncIterable<Buffer> = packed.pipe(unpacked);
  try {
    for await (const chunk of chunks) {
      given += chunk.length;
      if (given > Math.max(alwaysAllowed, taken * mostTimes)) throw refusal("archive_unpacks_too_large");
      yield chunk;
    }
  } catch (cause) {
    if (cause instanceof HubError || (cause instanceof Error && "syscall" in cause)) throw cause;
    throw refusal("archive_unpacks_up_to", { byte: given, cause });
  } finally {
    packed.destroy();
  }
}
