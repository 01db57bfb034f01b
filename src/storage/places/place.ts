import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";

/** What lies in a place. */
export type PlacedFile = { name: string; since: Date; size: number };

/** Where backups and archives are kept: files by name, which have slashes in them. */
export type Place = {
  /** Writes a file; it is there when it is whole. */
  put(name: string, bytes: Readable): Promise<void>;
  /** Throws missing. */
  read(name: string): Promise<Readable>;
  /** All files whose names begin so, with the folders in front of it. */
  list(prefix: string): AsyncIterable<PlacedFile>;
  /** Harmless when it is gone. */
  remove(name: string): Promise<void>;
  /** Removes of the files whose names begin so what was begun before that moment and never came to its end. */
  sweep(prefix: string, before: Date): Promise<void>;
};

/** What was written to a place is not there. */
export class NotKept extends Error {}

/** Writes something, finds it, reads it and removes it again. Throws where the place cannot be used. */
export async function tryPlace(place: Place): Promise<void> {
  const id = randomUUID();
  const name = `hubbub-test-${id}.txt`;
  await place.put(name, Readable.from([Buffer.from(id)]));
  try {
    const found = (await Array.fromAsync(place.list(name))).length;
    if (found !== 1 || (await text(await place.read(name))) !== id)
      throw new NotKept("what is written does not come back");
  } finally {
    await place.remove(name);
  }
}

/** The bytes of a file that is there. */
export async function sizeIn(place: Place, name: string): Promise<number> {
  for await (const file of place.list(name)) if (file.name === name) return file.size;
  return 0;
}
