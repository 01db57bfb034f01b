import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, opendir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DiskRefuses, missing, refusal, detailOf } from "../../errors.ts";
import type { BlobStore, Staged } from "./store.ts";

const readAhead = 256 * 1024;

/** Blobs as files below one folder. */
export function directoryBlobs(folder: string): BlobStore {
  const staging = join(folder, "staging");
  const path = (name: string | Staged): string =>
    typeof name === "string" ? join(folder, "kept", name.slice(0, 2), name) : join(staging, name.id);
  return {
    stage: (bytes, limit) => stage(staging, bytes, limit).catch(refuse),
    keep: (staged, name) => keep(path(staged), path(name)).catch(refuse),
    async read(name, start = 0, length) {
      const { size } = await stat(path(name)).catch(() => {
        throw missing("File");
      });
      const end = length === undefined ? size : Math.min(size, start + length);
      if (start >= end) return Readable.from([]);
      return createReadStream(path(name), { start, end: end - 1, highWaterMark: readAhead });
    },
    readAt: (name, start, length) => readAt(path(name), start, length),
    size: (name) => stat(path(name)).then(({ size }) => size, unlessThere),
    kept: () => listKept(join(folder, "kept")),
    setAside: (name) => keep(path(name), join(folder, "aside", name)).catch(refuse),
    remove: (name) => rm(path(name), { force: true }),
    sweep: (before) => sweep(staging, before),
    url: () => undefined,
  };
}

async function keep(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to);
  await flush(dirname(to));
}

async function stage(staging: string, bytes: Readable, limit: number): Promise<Staged> {
  await mkdir(staging, { recursive: true });
  const id = randomUUID();
  const hash = createHash("sha256");
  let size = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      hash.update(chunk);
      done(size > limit ? refusal("file_too_large", { most: limit }) : null, chunk);
    },
  });
  try {
    await pipeline(bytes, count, createWriteStream(join(staging, id), { flush: true }));
  } catch (error) {
    await rm(join(staging, id), { force: true });
    throw error;
  }
  return { id, size, sha256: hash.digest("hex") };
}

/** What it means that bytes could not be stored: a disk that takes nothing is no fault of the program. */
function refuse(error: unknown): never {
  const code = detailOf(error, "code");
  if (code === "ENOSPC" || code === "EDQUOT") throw new DiskRefuses("full", error);
  if (code === "EROFS" || code === "EACCES" || code === "EPERM") throw new DiskRefuses("read-only", error);
  throw error;
}

function unlessThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

async function* listKept(kept: string): AsyncGenerator<{ name: string; since: Date }> {
  for (const part of await readdir(kept).catch(() => []))
    for await (const { name } of await opendir(join(kept, part))) {
      // A running hub may have removed it since.
      const found = await stat(join(kept, part, name)).catch(unlessThere);
      if (found) yield { name, since: found.mtime };
    }
}

async function sweep(staging: string, before: Date): Promise<void> {
  const names = await readdir(staging).catch(() => []);
  for (const name of names) {
    const path = join(staging, name);
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtime < before) await rm(path, { force: true });
  }
}

async function readAt(path: string, start: number, length: number): Promise<Buffer> {
  const handle = await open(path).catch(() => {
    throw missing("File");
  });
  try {
    const buffer = Buffer.allocUnsafeSlow(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await handle.read(buffer, filled, length - filled, start + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  } finally {
    await handle.close();
  }
}

/** A rename is durable once the folder itself is on disk. */
async function flush(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
