import type { Abconfig, Abook, Connection, PermissionSums } from "../connections/types.ts";
import { directionEntries } from "../connections/directions.ts";
import type { Group, Member } from "../groups/groups.ts";
import { xchanRecord } from "./xchan.ts";

/** The joined connection record. */
export function connectionRecord(connection: Connection): object {
  return { ...abookRecord(connection), ...xchanRecord(connection) };
}

/** A member of a group: membership, connection and identity. */
export function memberRecord(member: Member): object {
  return { ...membershipRecord(member), ...abookRecord(member), ...xchanRecord(member) };
}

/** A membership alone. */
export function membershipRecord(member: Pick<Member, "id" | "uid" | "gid" | "xchan">): object {
  return { id: String(member.id), uid: String(member.uid), gid: String(member.gid), xchan: member.xchan };
}

/** A privacy group. */
export function groupRecord(group: Group): object {
  return {
    id: String(group.id),
    hash: group.hash,
    uid: String(group.uid),
    visible: String(group.visible),
    deleted: String(group.deleted),
    gname: group.gname,
  };
}

/** A row of connection metadata. */
export function abconfigRecord(row: Abconfig): object {
  return { id: String(row.id), chan: String(row.chan), xchan: row.xchan, cat: row.cat, k: row.k, v: row.v };
}

/** A connection as exports carry it: with its metadata, and with who follows whom where that is not as usual. */
export function exportedConnection(abook: Abook & PermissionSums, abconfig: readonly Abconfig[]): object {
  const about = { id: 0, chan: abook.abook_channel, xchan: abook.abook_xchan };
  const directions = directionEntries(abook, abconfig).map((entry) => ({ ...about, ...entry }));
  return { ...abookRecord(abook), abconfig: [...abconfig, ...directions].map(abconfigRecord) };
}

/** A connection without its identity. */
function abookRecord(abook: Abook & PermissionSums): object {
  return {
    abook_id: String(abook.abook_id),
    abook_account: String(abook.abook_account),
    abook_channel: String(abook.abook_channel),
    abook_xchan: abook.abook_xchan,
    abook_my_perms: String(abook.abook_my_perms),
    abook_their_perms: String(abook.abook_their_perms),
    abook_closeness: String(abook.abook_closeness),
    abook_created: abook.abook_created,
    abook_updated: abook.abook_updated,
    abook_connected: abook.abook_connected,
    abook_dob: abook.abook_dob,
    abook_flags: String(abook.abook_flags),
    abook_blocked: String(abook.abook_blocked),
    abook_ignored: String(abook.abook_ignored),
    abook_hidden: String(abook.abook_hidden),
    abook_archived: String(abook.abook_archived),
    abook_pending: String(abook.abook_pending),
    abook_unconnected: String(abook.abook_unconnected),
    abook_self: String(abook.abook_self),
    abook_feed: String(abook.abook_feed),
    abook_profile: abook.abook_profile,
    abook_incl: abook.abook_incl,
    abook_excl: abook.abook_excl,
    abook_instance: abook.abook_instance,
  };
}
