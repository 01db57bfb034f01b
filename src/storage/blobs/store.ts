import type { Readable } from "node:stream";
import type { Mark } from "./mark.ts";

/** Bytes that have arrived whole but belong to nothing yet; only the process that has them can keep them. */
export type Staged = { id: string; size: number; sha256: string };

/** Where the bytes of files and photos live. Names are made by `keep`'s caller and never come from outside. */
export type BlobStore = {
  /** Takes bytes in as they come; throws too-large (and keeps nothing) beyond `limit` bytes. */
  stage(bytes: Readable, limit: number): Promise<Staged>;
  /** Gives staged bytes their lasting name; they are stored for good when this returns. */
  keep(staged: Staged, name: string): Promise<void>;
  /** The bytes from `start`, `length` of them (all that follow when left out). Throws missing. */
  read(name: string | Staged, start?: number, length?: number): Promise<Readable>;
  /** The same as one piece, for parts that are known to be small: fewer bytes only at the end of the blob. Throws missing. */
  readAt(name: string | Staged, start: number, length: number): Promise<Buffer>;
  /** How many bytes a blob has; undefined when it is not there. */
  size(name: string): Promise<number | undefined>;
  /** The names of all kept blobs, and since when each is there; read as they are asked for. */
  kept(): AsyncIterable<{ name: string; since: Date }>;
  /** Puts kept bytes where nobody but the operator finds them. */
  setAside(name: string): Promise<void>;
  /** Removes kept or staged bytes; harmless when they are gone. */
  remove(name: string | Staged): Promise<void>;
  /** Removes what was staged before that moment: whoever wanted it is gone. */
  sweep(before: Date): Promise<void>;
  /** An address where whoever knows it can fetch the bytes as this type, for a minute, if the store has such. */
  address(name: string, type: string): Promise<string | undefined>;
  /** What those addresses begin with. */
  origin: string | undefined;
  /** By which the database knows the store. */
  mark: Mark;
};
