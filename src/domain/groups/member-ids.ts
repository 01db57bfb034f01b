import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";

/** The members of several groups of the channel by group, as numbers of their identities, in one query. */
export async function memberIds(hub: Hub, uid: number, groupIds: readonly number[]): Promise<Map<number, number[]>> {
  const members = new Map<number, number[]>();
  if (groupIds.length === 0) return members;
  const rows = await hub.db
    .selectFrom("pgrp_member")
    .innerJoin("xchan", "xchan_hash", "pgrp_member.xchan")
    .select(["pgrp_member.gid", "xchan.xchan_id"])
    .where("pgrp_member.uid", "=", uid)
    .where(isOneOf(hub.engine, sql.ref("pgrp_member.gid"), groupIds))
    .orderBy("pgrp_member.id")
    .execute();
  for (const { gid, xchan_id: id } of rows) {
    const ids = members.get(gid);
    if (ids) ids.push(id);
    else members.set(gid, [id]);
  }
  return members;
}
