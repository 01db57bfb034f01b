import { Readable } from "node:stream";
import type { Hub } from "../../hub.ts";
import type { File } from "./types.ts";

/** How many bytes of a file one answer of an API holds at most (native contract 1.11). */
export const mostAtOnce = 32 * 1024 * 1024;

/** The bytes of a file from `start`, `length` of them, all that follow when left out; none for a directory. Throws missing. */
export async function readFile(hub: Hub, file: File, start = 0, length?: number): Promise<Readable> {
  return file.blob === "" ? Readable.from([]) : hub.blobs.read(file.blob, start, length);
}

/** An address at which anybody gets these bytes for a minute, where the operator wants that: for what is public alone. */
export async function publicAddress(hub: Hub, blob: string, type: string): Promise<string | undefined> {
  return hub.config.blobs.redirect && blob !== "" ? hub.blobs.address(blob, type) : undefined;
}

/** What those addresses begin with, if there are any. */
export function publicOrigin({ config, blobs }: Hub): string | undefined {
  return config.blobs.redirect ? blobs.origin : undefined;
}

/** A part of a file as one piece, as long as the cap and the end of the file allow; empty for a directory. Throws missing. */
export async function readChunk(hub: Hub, file: File, start: number, length: number): Promise<Buffer> {
  const end = Math.min(file.filesize, start + Math.min(length, mostAtOnce));
  return file.blob === "" || start >= end ? Buffer.alloc(0) : hub.blobs.readAt(file.blob, start, end - start);
}
