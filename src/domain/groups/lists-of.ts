import type { Hub } from "../../hub.ts";
import { keyPage } from "../../storage/key-page.ts";
import type { KeyPage, KeyWindow } from "../../storage/key-page.ts";

/** Groups as lists of people. */

/** How many members each group of the channel has, by group; `besides` does not count. */
export async function countMembers(hub: Hub, uid: number, besides = ""): Promise<Map<number, number>> {
  const rows = await hub.db
    .selectFrom("pgrp_member")
    .innerJoin("xchan", "xchan_hash", "pgrp_member.xchan")
    .select(["gid", (eb) => eb.fn.countAll<number>().as("members")])
    .where("uid", "=", uid)
    .where("xchan", "<>", besides)
    .groupBy("gid")
    .execute();
  return new Map(rows.map((row) => [row.gid, Number(row.members)]));
}

/** One part of a group's members, as numbers of identities, the largest first. */
export async function pageOfMembers(hub: Hub, uid: number, groupId: number, window: KeyWindow): Promise<KeyPage> {
  const members = hub.db
    .selectFrom("pgrp_member")
    .innerJoin("xchan", "xchan_hash", "pgrp_member.xchan")
    .select("xchan_id as key")
    .where("gid", "=", groupId)
    .where("uid", "=", uid);
  return keyPage(hub, members, window);
}

/** One part of the channel's groups that hold somebody, as numbers of groups, the largest first. */
export async function pageOfGroupsWith(hub: Hub, uid: number, hash: string, window: KeyWindow): Promise<KeyPage> {
  const groups = hub.db
    .selectFrom("pgrp_member")
    .innerJoin("pgrp", "pgrp.id", "pgrp_member.gid")
    .select("pgrp.id as key")
    .where("pgrp_member.uid", "=", uid)
    .where("pgrp_member.xchan", "=", hash)
    .where("pgrp.deleted", "=", 0);
  return keyPage(hub, groups, window);
}

/** Is this identity a member of the group? */
export async function isMember(hub: Hub, uid: number, groupId: number, hash: string): Promise<boolean> {
  const row = await hub.db
    .selectFrom("pgrp_member")
    .select("id")
    .where("gid", "=", groupId)
    .where("xchan", "=", hash)
    .where("uid", "=", uid)
    .executeTakeFirst();
  return row !== undefined;
}
