import type { Config } from "../../config/config.ts";
import { openStore } from "../../storage/blobs/open.ts";
import type { BlobsPlace } from "../../config/storage-places.ts";
import { errorMessageOf } from "../error-message.ts";
import { failed, ok } from "./finding.ts";
import type { Finding } from "./finding.ts";

export const adviceOnS3 =
  "Check that the server runs, its bucket, endpoint, region and keys, and the clock of this machine.";

/** Does each blob store answer that is on another machine? */
export async function checkBlobs({ dataDir, blobs: { at, from } }: Config): Promise<Finding[]> {
  const elsewhere = [at, from].filter((place) => place?.kind === "s3") as BlobsPlace[];
  return Promise.all(elsewhere.map((place) => checkStore(dataDir, place)));
}

async function checkStore(dataDir: string, place: BlobsPlace): Promise<Finding> {
  const { mark } = openStore(dataDir, place);
  try {
    await mark.read();
    return ok("blobs", `${mark.place} answers`);
  } catch (error) {
    const reason = errorMessageOf(error) ?? String(error);
    return failed("blobs", `${mark.place}: ${reason}`, adviceOnS3);
  }
}
