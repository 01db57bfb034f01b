import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";

/** Is it somebody of elsewhere who has been met, and so can be reached? */
export async function isActor(hub: Hub, hash: string): Promise<boolean> {
  const row = await hub.db
    .selectFrom("actor")
    .innerJoin("xchan", "xchan.xchan_id", "actor.xchan_id")
    .select("actor.id")
    .where("xchan_hash", "=", hash)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Somebody of elsewhere is gone: the identity is deleted for everybody, until their document is read again. Answers whether they
 * were known. Part of a transaction.
 */
export async function recordGone(hub: Hub, hash: string): Promise<boolean> {
  if (!(await isActor(hub, hash))) return false;
  await hub.db
    .updateTable("actor")
    .set({ gone: now(hub) })
    .where("actor_id", "=", hash)
    .execute();
  await hub.db.updateTable("xchan").set({ xchan_deleted: 1 }).where("xchan_hash", "=", hash).execute();
  await hub.db.updateTable("hubloc").set({ hubloc_deleted: 1 }).where("hubloc_hash", "=", hash).execute();
  return true;
}
