import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { Readable } from "node:stream";
import { directoryBlobs } from "../src/storage/blobs/directory.ts";
import { blobFolder } from "../src/storage/blobs/open.ts";
import { film } from "./dataset/files.ts";

const piece = 1024 * 1024;

/** Puts the bytes of the data set's film where a hub with this data folder looks for them; answers their path. */
export async function putFilm(dataDir: string): Promise<string> {
  const blobs = directoryBlobs(dataDir);
  const pieces = Array.from({ length: film.size / piece }, () => randomBytes(piece));
  await blobs.keep(await blobs.stage(Readable.from(pieces), film.size), film.blob);
  return join(blobFolder({ dataDir }), "kept", film.blob.slice(0, 2), film.blob);
}
