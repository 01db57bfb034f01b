import { sql } from "kysely";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";

/**
 * Ends what was to be sent about an object and was never tried; held rows as well, though those may have been sent by the hub
 * from which this one was restored. Answers the hosts that have nothing of the object: its first activity was never tried there,
 * nor anything else. Part of a transaction.
 */
export async function withdraw(hub: Hub, objectId: string): Promise<Set<string>> {
  const of = hub.db.selectFrom("outbox_activity").where("object_id", "=", objectId);
  const rows = await hub.db
    .selectFrom("delivery")
    .innerJoin("outbox_activity", "outbox_activity.id", "delivery.activity")
    .select(["host", "begins", "attempts", "state"])
    .where("activity", "in", of.select("id"))
    .execute();
  const isUntried = ({ state, attempts }: (typeof rows)[number]): boolean => state === "waiting" && attempts === 0;
  const first = rows.filter((row) => row.begins === 1 && isUntried(row)).map(({ host }) => host);
  const tried = new Set(rows.filter((row) => !isUntried(row)).map(({ host }) => host));
  await hub.db
    .updateTable("delivery")
    .set({ state: "done", last_error: "withdrawn", ended: now(hub) })
    .where("activity", "in", of.select("id"))
    .where("attempts", "=", 0)
    .where(sql<boolean>`state in ('waiting', 'held')`)
    .execute();
  return new Set(first.filter((host) => !tried.has(host)));
}
