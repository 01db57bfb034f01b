import type { Selectable } from "kysely";
import { missing } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { inPieces, isOneOf, zeroDate } from "../../storage/sql.ts";
import type { AbookTable, PgrpMemberTable } from "../../storage/tables/connections.ts";
import { planEndOfKeeping } from "../connections/plan-end-of-keeping.ts";
import { guestsAmong } from "../connections/guests.ts";
import { addPermissions } from "../connections/permission-sums.ts";
import type { Connection, PermissionSums } from "../connections/types.ts";

/** Membership, connection and identity in one record. */
export type Member = Selectable<PgrpMemberTable> & Connection;

/** The members of a group by membership id; one that is not a connection any more has unset connection fields. */
export async function listMembers(hub: Hub, uid: number, groupId: number): Promise<Member[]> {
  const rows = await compiled(hub, "members of a group", { uid, groupId }, (slots) =>
    hub.db
      .selectFrom("pgrp_member")
      .innerJoin("xchan", "xchan_hash", "pgrp_member.xchan")
      .leftJoin("abook", (join) =>
        join.onRef("abook_xchan", "=", "pgrp_member.xchan").on("abook_channel", "=", slots.uid),
      )
      .selectAll(["pgrp_member", "xchan", "abook"])
      .where("pgrp_member.gid", "=", slots.groupId)
      .where("pgrp_member.uid", "=", slots.uid)
      .orderBy("pgrp_member.id"),
  );
  // What the left join did not find is filled in, so that nothing is null any more.
  const known = rows.map(
    (row) => (row.abook_id === null ? { ...row, ...noConnection } : row) as Omit<Member, keyof PermissionSums>,
  );
  return addPermissions(hub, uid, known);
}

/**
 * Adds connections and guests to a group; answers the hashes that are neither, and those are not added, nor anybody else when
 * it is to be all or none. Harmless when repeated.
 */
export async function addMembers(
  hub: Hub,
  uid: number,
  groupId: number,
  hashes: readonly string[],
  { allOrNone = false } = {},
): Promise<string[]> {
  return inTransaction(hub, async (hub) => {
    await checkGroup(hub, uid, groupId);
    const known = await connectionsAmong(hub, uid, hashes);
    const strangers = hashes.filter((hash) => !known.has(hash));
    if (allOrNone && strangers.length > 0) return strangers;
    const rows = hashes.filter((hash) => known.has(hash)).map((xchan) => ({ uid, gid: groupId, xchan }));
    for (const piece of inPieces(rows))
      await hub.db
        .insertInto("pgrp_member")
        .values(piece)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    if (rows.length > 0) await planEndOfKeeping(hub, uid);
    return strangers;
  });
}

/** Takes members out of a group; harmless for those who are not in it. */
export async function removeMembers(hub: Hub, uid: number, groupId: number, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return;
  await inTransaction(hub, async (hub) => {
    await checkGroup(hub, uid, groupId);
    await hub.db
      .deleteFrom("pgrp_member")
      .where("gid", "=", groupId)
      .where((eb) => isOneOf(hub.engine, eb.ref("xchan"), hashes))
      .execute();
  });
}

async function checkGroup(hub: Hub, uid: number, groupId: number): Promise<void> {
  const group = await hub.db
    .selectFrom("pgrp")
    .select("id")
    .where("id", "=", groupId)
    .where("uid", "=", uid)
    .where("deleted", "=", 0)
    .executeTakeFirst();
  if (!group) throw missing("Group");
}

async function connectionsAmong(hub: Hub, uid: number, hashes: readonly string[]): Promise<Set<string>> {
  if (hashes.length === 0) return new Set();
  const rows = await hub.db
    .selectFrom("abook")
    .select("abook_xchan")
    .where("abook_channel", "=", uid)
    .where("abook_unconnected", "=", 0)
    .where((eb) => isOneOf(hub.engine, eb.ref("abook_xchan"), hashes))
    .execute();
  return new Set([...rows.map((row) => row.abook_xchan), ...(await guestsAmong(hub, uid, hashes))]);
}

const noConnection: Selectable<AbookTable> = {
  abook_id: 0,
  abook_account: 0,
  abook_channel: 0,
  abook_xchan: "",
  abook_closeness: 0,
  abook_created: zeroDate,
  abook_updated: zeroDate,
  abook_connected: zeroDate,
  abook_dob: zeroDate,
  abook_flags: 0,
  abook_blocked: 0,
  abook_ignored: 0,
  abook_hidden: 0,
  abook_archived: 0,
  abook_pending: 0,
  abook_unconnected: 0,
  abook_self: 0,
  abook_feed: 0,
  abook_profile: "",
  abook_incl: "",
  abook_excl: "",
  abook_instance: "",
  follow_out: "none",
  follow_in: "none",
  follow_out_id: "",
  follow_in_id: "",
  follow_out_again: zeroDate,
  abook_shut_out: 0,
  shut_out_id: "",
  mute_ends: zeroDate,
};
