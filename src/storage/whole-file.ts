import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import type { Writable } from "node:stream";

/** How the name of a file ends that is not whole yet. */
export const partialEnding = ".partial";

/** Writes a file that only its owner can read; it is there when it is whole, and nothing is when writing fails. */
export async function writeWhole(file: string, write: (target: Writable) => Promise<void>): Promise<void> {
  const partial = `${file}${partialEnding}`;
  try {
    await write(createWriteStream(partial, { mode: 0o600, flush: true }));
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
