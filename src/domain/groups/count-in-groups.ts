import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";

/** By the ids of the groups in which some of these people are: how many of them, of how many. */
export async function countInGroups(
  hub: Hub,
  uid: number,
  people: readonly string[],
): Promise<Map<number, { count: number; total: number }>> {
  if (people.length === 0) return new Map();
  const among = isOneOf(hub.engine, sql.ref("xchan"), people, "text");
  const rows = await hub.db
    .selectFrom("pgrp_member")
    .select("gid")
    .select(sql<number>`sum(case when ${among} then 1 else 0 end)`.as("count"))
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("uid", "=", uid)
    .groupBy("gid")
    .execute();
  return new Map(
    rows.flatMap(({ gid, count, total }) =>
      Number(count) > 0 ? [[gid, { count: Number(count), total: Number(total) }]] : [],
    ),
  );
}
