import { sql } from "kysely";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import { guestsAmong } from "../connections/guests.ts";
import { lockChannels } from "../identity/channels/lock-channels.ts";
import { createGroup } from "./groups.ts";
import type { Group } from "./groups.ts";
import { addMembers, removeMembers } from "./members.ts";

/** Whom a client names as a member: by the channel's connection, else by the number of the person. */
export type NamedMember = { cid: number } | { id: number };

/** Makes a group with these members; `wrong` are the numbers of those who cannot be any. */
export async function createGroupOf(
  hub: Hub,
  uid: number,
  name: string,
  named: readonly NamedMember[],
): Promise<{ group: Group; wrong: number[] }> {
  return inTransaction(hub, async (hub) => {
    const group = await createGroup(hub, uid, name);
    return { group, wrong: await replaceMembers(hub, uid, group.id, named) };
  });
}

/**
 * Makes exactly these people the members of a group; answers the numbers that name no connection and no guest of the
 * channel, which are left out. Throws missing for a group of somebody else.
 */
export async function replaceMembers(
  hub: Hub,
  uid: number,
  groupId: number,
  named: readonly NamedMember[],
): Promise<number[]> {
  return inTransaction(hub, async (hub) => {
    await lockChannels(hub, [uid]);
    const { hashes, wrong } = await findNamed(hub, uid, named);
    await removeMembers(hub, uid, groupId, await membersBesides(hub, groupId, hashes));
    await addMembers(hub, uid, groupId, hashes);
    return wrong;
  });
}

async function membersBesides(hub: Hub, groupId: number, hashes: readonly string[]): Promise<string[]> {
  const rows = await hub.db.selectFrom("pgrp_member").select("xchan").where("gid", "=", groupId).execute();
  const stay = new Set(hashes);
  return rows.map((row) => row.xchan).filter((hash) => !stay.has(hash));
}

async function findNamed(hub: Hub, uid: number, named: readonly NamedMember[]) {
  const connections = await connectionsOf(hub, uid, named);
  const people = await knownPeople(hub, uid, named);
  const hashes = new Set<string>();
  const wrong = new Set<number>();
  for (const member of named) {
    const number = "cid" in member ? member.cid : member.id;
    const hash = ("cid" in member ? connections : people).get(number);
    if (hash === undefined) wrong.add(number);
    else hashes.add(hash);
  }
  return { hashes: [...hashes], wrong: [...wrong] };
}

async function connectionsOf(hub: Hub, uid: number, named: readonly NamedMember[]): Promise<Map<number, string>> {
  const ids = named.flatMap((member) => ("cid" in member ? [member.cid] : []));
  if (ids.length === 0) return new Map();
  const rows = await hub.db
    .selectFrom("abook")
    .select(["abook_id", "abook_xchan"])
    .where("abook_channel", "=", uid)
    .where("abook_unconnected", "=", 0)
    .where(isOneOf(hub.engine, sql.ref("abook_id"), ids))
    .execute();
  return new Map(rows.map((row) => [row.abook_id, row.abook_xchan]));
}

/** Connections, the channel itself and its guests by the numbers of their identities. */
async function knownPeople(hub: Hub, uid: number, named: readonly NamedMember[]): Promise<Map<number, string>> {
  const ids = named.flatMap((member) => ("id" in member ? [member.id] : []));
  if (ids.length === 0) return new Map();
  const rows = await hub.db
    .selectFrom("xchan")
    .leftJoin("abook", (join) =>
      join.onRef("abook_xchan", "=", "xchan_hash").on("abook_channel", "=", uid).on("abook_unconnected", "=", 0),
    )
    .select(["xchan_id", "xchan_hash", "abook_id"])
    .where(isOneOf(hub.engine, sql.ref("xchan_id"), ids))
    .execute();
  const others = rows.filter((row) => row.abook_id === null).map((row) => row.xchan_hash);
  const guests = new Set(await guestsAmong(hub, uid, others));
  const known = rows.filter((row) => row.abook_id !== null || guests.has(row.xchan_hash));
  return new Map(known.map((row) => [row.xchan_id, row.xchan_hash]));
}
