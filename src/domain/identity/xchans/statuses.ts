import { sql } from "kysely";
import type { Hub } from "../../../hub.ts";
import { compiledQuery } from "../../../storage/compiled-query.ts";
import { pipelined } from "../../../storage/pipelined.ts";

/** Changes the number of somebody's public statuses; it never falls below zero. */
export async function addStatuses(hub: Hub, xchanId: number, by: 1 | -1): Promise<void> {
  await pipelined(
    hub,
    compiledQuery(hub, `add ${by} to statuses`, { xchanId }, (slots) =>
      hub.db
        .updateTable("xchan")
        .set({
          statuses_count: sql`case when statuses_count + ${sql.lit(by)} < 0 then 0 else statuses_count + ${sql.lit(by)} end`,
        })
        .where("xchan_id", "=", slots.xchanId),
    ),
  );
}
