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
