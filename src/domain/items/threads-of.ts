import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";

/** Those of these items that are statuses of the channel's own, each with the top of its thread (microblog contract 7.7). */
export async function threadsOf(hub: Hub, uid: number, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await hub.db
    .selectFrom("item")
    .select(["id", "parent"])
    .where(isOneOf(hub.engine, sql.ref("id"), ids))
    .where("uid", "=", uid)
    .where("item_normal", "=", sql.lit(1))
    .where("item_notshown", "=", sql.lit(0))
    .execute();
  return new Map(rows.map((row) => [row.id, row.parent]));
}
