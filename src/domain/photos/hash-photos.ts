import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { readBlob } from "../files/blobs.ts";
import { blurhashOf, nothingToSee } from "./blurhash.ts";
import { inTurn } from "./images.ts";
import { scales } from "./scales.ts";

/** So many are done in a run. */
const most = 500;

/**
 * Finds out what images look like from afar of which nobody knows it yet: those that an import brought, and those of older versions of
 * the hub. A scheduled job.
 */
export async function hashPhotos(hub: Hub): Promise<void> {
  const some = await hub.db
    .selectFrom("photo")
    .select(["id", "uid", "resource_id", "blob"])
    .where("blurhash", "=", sql.lit(""))
    .where("imgscale", "=", sql.lit(scales.small.number))
    // So that SQLite seeks in the index.
    .where("id", ">", 0)
    .orderBy("id")
    .limit(most)
    .execute();
  for (const { uid, resource_id, blob } of some) {
    const blurhash = await inTurn(hub, async () => blurhashOf(await readBlob(hub, blob))).catch((error: unknown) => {
      hub.log.debug("The image {resource_id} cannot be read: {error}", { resource_id, error });
      return nothingToSee;
    });
    await hub.db
      .updateTable("photo")
      .set({ blurhash })
      .where("uid", "=", uid)
      .where("resource_id", "=", resource_id)
      .execute();
  }
}
