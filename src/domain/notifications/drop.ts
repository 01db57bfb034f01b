import { sql } from "kysely";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import { emitToChannels } from "../live/emit.ts";

/** Removes notices of the channel: these, or all that its policy does not keep apart. Those of somebody else, and those that are gone, stay as they are. */
export async function dropNotices(hub: Hub, uid: number, ids?: readonly number[]): Promise<void> {
  await inTransaction(hub, async (hub) => {
    let notices = hub.db.deleteFrom("notify").where("uid", "=", uid);
    notices = ids ? notices.where(isOneOf(hub.engine, sql.ref("id"), ids)) : notices.where("filtered", "=", sql.lit(0));
    const { numDeletedRows } = await notices.executeTakeFirstOrThrow();
    if (numDeletedRows > 0n) await emitToChannels(hub, "notices", [uid]);
  });
}

/** Marks notices of the channel up to this one as seen: somebody has read so far. Part of a transaction. */
export async function markSeenUpTo(hub: Hub, uid: number, id: number): Promise<void> {
  const { numUpdatedRows } = await hub.db
    .updateTable("notify")
    .set({ seen: 1 })
    .where("uid", "=", uid)
    .where("seen", "=", 0)
    .where("id", "<=", id)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) await emitToChannels(hub, "notices", [uid]);
}
