import { join } from "node:path";
import type { Config } from "../../config.ts";
import { directoryBlobs } from "./directory.ts";
import type { BlobStore } from "./store.ts";

/** The blob store that these settings speak of, the same for a hub, a restore and a check. */
export function openBlobs(config: Pick<Config, "dataDir">): BlobStore {
  return directoryBlobs(blobFolder(config));
}

/** Where on this machine the store keeps what it has. */
export function blobFolder({ dataDir }: Pick<Config, "dataDir">): string {
  return join(dataDir, "blobs");
}
