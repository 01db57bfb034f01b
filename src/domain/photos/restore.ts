import { sql } from "kysely";
import type { Insertable } from "kysely";
import type { Hub } from "../../hub.ts";
import { releaseBlobs } from "../files/blobs.ts";
import type { File } from "../files/types.ts";
import type { PhotoTable } from "../../storage/tables/identity.ts";
import { inPieces } from "../../storage/sql.ts";
import { recordAvatar } from "../identity/xchans/show-avatar.ts";
import { insertRenditions } from "./rows.ts";
import { usages } from "./types.ts";
import type { Rendition } from "./types.ts";

/** A rendition as an export has it, with its bytes kept. */
export type RestoredRendition = Rendition &
  Pick<Insertable<PhotoTable>, "xchan" | "created" | "edited" | "expires" | "title" | "description" | "is_nsfw"> & {
    photo_usage: number;
  };

/**
 * Writes the photo rows of an imported image (native contract 7.5, step 10). One that was the profile or cover photo is so
 * again. Part of a transaction.
 */
export async function restoreRenditions(hub: Hub, file: File, renditions: readonly RestoredRendition[]): Promise<void> {
  for (const usage of [usages.profile, usages.cover]) {
    const used = renditions.filter((one) => one.photo_usage === usage);
    if (used.length > 0) await retireAll(hub, file.uid, usage);
    if (usage === usages.profile && used[0]) await recordAvatar(hub, file.uid, used[0].mimetype);
  }
  const rows = renditions.map((one) => ({
    ...one,
    aid: file.aid,
    uid: file.uid,
    resource_id: file.hash,
    profile: one.photo_usage === usages.profile ? 1 : 0,
  }));
  for (const piece of inPieces(rows))
    await hub.db
      .insertInto("photo")
      .values(piece)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** Pictures that came without a file of their own go when one with a file takes their place. */
async function retireAll(hub: Hub, uid: number, usage: number): Promise<void> {
  const rows = await hub.db
    .updateTable("photo")
    .set({ photo_usage: usages.normal, profile: 0 })
    .where("uid", "=", uid)
    .where("photo_usage", "=", usage)
    .returning(["id", "resource_id", "blob"])
    .execute();
  const bare: typeof rows = [];
  for (const row of rows) {
    const file = await hub.db
      .selectFrom("attach")
      .select("id")
      .where("uid", "=", uid)
      .where("hash", "=", row.resource_id)
      .executeTakeFirst();
    if (!file) bare.push(row);
  }
  for (const { id } of bare) await hub.db.deleteFrom("photo").where("id", "=", id).execute();
  await releaseBlobs(
    hub,
    bare.map((row) => row.blob),
  );
}

/** A profile photo that comes as a picture alone, in the sizes of avatars (native contract 7.5, step 3). */
export async function restoreAvatar(
  hub: Hub,
  owner: Pick<File, "uid" | "aid" | "created"> & { hash: string; creator: string },
  renditions: readonly Rendition[],
): Promise<void> {
  await retireAll(hub, owner.uid, usages.profile);
  await insertRenditions(hub, owner, renditions, usages.profile);
  await hub.db
    .updateTable("photo")
    .set({ album: "Profile Photos" })
    .where("uid", "=", owner.uid)
    .where("resource_id", "=", owner.hash)
    .where("photo_usage", "=", sql.lit(usages.profile))
    .execute();
  await recordAvatar(hub, owner.uid, renditions[0]!.mimetype);
}
