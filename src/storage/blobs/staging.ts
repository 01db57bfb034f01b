import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DiskRefuses, detailOf, missing, refusal } from "../../errors.ts";
import type { Staged } from "./store.ts";

/** Bytes that belong to nothing yet, as files in a folder of this machine, wherever they are kept in the end. */

export type Staging = {
  path(staged: Staged): string;
  stage(bytes: Readable, limit: number): Promise<Staged>;
  sweep(before: Date): Promise<void>;
};

export function stagingIn(folder: string): Staging {
  return {
    path: ({ id }) => join(folder, id),
    stage: (bytes, limit) => stage(folder, bytes, limit).catch(refuse),
    sweep: (before) => sweep(folder, before),
  };
}

async function stage(folder: string, bytes: Readable, limit: number): Promise<Staged> {
  await mkdir(folder, { recursive: true });
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
    await pipeline(bytes, count, createWriteStream(join(folder, id), { flush: true }));
  } catch (error) {
    await rm(join(folder, id), { force: true });
    throw error;
  }
  return { id, size, sha256: hash.digest("hex") };
}

async function sweep(folder: string, before: Date): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtime < before) await rm(path, { force: true });
  }
}

/** What it means that bytes could not be stored: a disk that takes nothing is no fault of the program. */
export function refuse(error: unknown): never {
  const code = detailOf(error, "code");
  if (code === "ENOSPC" || code === "EDQUOT") throw new DiskRefuses("full", error);
  if (code === "EROFS" || code === "EACCES" || code === "EPERM") throw new DiskRefuses("read-only", error);
  throw error;
}

const readAhead = 256 * 1024;

/** The bytes of a file from `start`, which somebody may remove meanwhile. Throws missing. */
export async function readFileFrom(path: string, start: number, length?: number): Promise<Readable> {
  const handle = await open(path).catch(gone);
  const { size } = await handle.stat();
  const end = length === undefined ? size : Math.min(size, start + length);
  if (start < end) return handle.createReadStream({ start, end: end - 1, highWaterMark: readAhead });
  await handle.close();
  return Readable.from([]);
}

/** The same as one piece. Throws missing. */
export async function readFileAt(path: string, start: number, length: number): Promise<Buffer> {
  const handle = await open(path).catch(gone);
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

function gone(): never {
  throw missing("File");
}
