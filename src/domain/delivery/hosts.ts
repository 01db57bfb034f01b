import { sql } from "kysely";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { parked } from "./states.ts";

/** What waited for a host that is there again goes out; part of a transaction. */
export async function release(hub: Hub, host: string): Promise<void> {
  await hub.db
    .updateTable("delivery")
    .set({ next_at: now(hub) })
    .where("host", "=", host)
    .where(sql<boolean>`state = 'waiting'`)
    .where("next_at", "=", parked)
    .execute();
}

/** Nothing is sent to a host any more; answers how much that is. Part of a transaction. */
export async function giveUpHost(hub: Hub, host: string): Promise<number> {
  const { numUpdatedRows } = await hub.db
    .updateTable("delivery")
    .set({ state: "given up", last_error: "host_dead", ended: now(hub) })
    .where("host", "=", host)
    .where(sql<boolean>`state = 'waiting'`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
