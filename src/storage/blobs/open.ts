import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { directoryBlobs } from "./directory.ts";
import { moveAll, movingBlobs } from "./moving.ts";
import type { Moved } from "./moving.ts";
import type { BlobsPlace } from "../../config/storage-places.ts";
import type { S3Options } from "../s3/objects.ts";
import { s3Blobs } from "./s3.ts";
import type { BlobStore } from "./store.ts";

/** The blob store that these settings speak of, the same for a hub, a restore and a check; a hub counts the requests to it. */
export function openBlobs(
  { dataDir, blobs: { at, from } }: Pick<Config, "dataDir" | "blobs">,
  options: Partial<S3Options> = {},
): BlobStore {
  const store = openStore(dataDir, at, options);
  return from ? movingBlobs(store, openStore(dataDir, from, options)) : store;
}

/** One of the stores that settings speak of. */
export function openStore(dataDir: string, place: BlobsPlace, options: Partial<S3Options> = {}): BlobStore {
  return place.kind === "directory" ? directoryBlobs(dataDir) : s3Blobs(place, dataDir, options);
}

/** Moves blobs from the store where they were to the one where they are kept, while hubs use both; `tell` hears how far it is. */
export async function moveBlobs(
  { dataDir, blobs: { at, from = at } }: Pick<Config, "dataDir" | "blobs">,
  tell: (moved: Moved) => void,
): Promise<Moved & { to: string; from: string }> {
  const [to, former] = [openStore(dataDir, at), openStore(dataDir, from)];
  return { ...(await moveAll(to, former, tell)), to: to.mark.place, from: former.mark.place };
}

export type { Moved };

/** Where on this machine the store keeps what it has, or what is on its way there. */
export function blobFolder({ dataDir }: Pick<Config, "dataDir">): string {
  return join(dataDir, "blobs");
}
