import { sql } from "kysely";
import { momentIn, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { addDeed } from "../../../jobs/queue.ts";

/** Whoever changes several things one after the other is told of once. */
const gathered = 60_000;

/**
 * What others see of the channel has changed: documents about it are made anew (federation contract 1.2), and those elsewhere
 * who are connected with it hear of that within a minute. Part of the transaction that changes it.
 */
export async function recordAppearance(hub: Hub, uid: number): Promise<void> {
  const row = await hub.db
    .updateTable("channel")
    .set((eb) => ({ channel_updated: now(hub), channel_revision: eb("channel_revision", "+", 1) }))
    .where("channel_id", "=", uid)
    .returning(sql<number>`case when exists (select 1 from actor where id > 0) then 1 else 0 end`.as("elsewhere"))
    .executeTakeFirst();
  if (row?.elsewhere !== 1) return;
  const key = `describe ${uid}`;
  const at = momentIn(hub, gathered);
  await addDeed(hub, uid, { deed: "describe" }, { at, key, lane: key });
}
