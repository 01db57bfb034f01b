import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { inPieces, isOneOf } from "../../storage/sql.ts";

/** A privacy group as an export has it, with the hashes of its members. */
export type RestoredGroup = { hash: string; gname: string; visible: 0 | 1; deleted: 0 | 1; members: readonly string[] };

export type RestoredGroups = {
  added: Set<string>;
  /** Their hash belongs to a group of somebody else. */
  foreign: Set<string>;
  members: number;
};

/**
 * Adds groups that the channel does not have, with their hashes, so that access lists stay valid (native contract 7.5,
 * step 7), and to all of them the members that they lack. Part of a transaction.
 */
export async function addGroups(hub: Hub, uid: number, groups: readonly RestoredGroup[]): Promise<RestoredGroups> {
  const result: RestoredGroups = { added: new Set(), foreign: new Set(), members: 0 };
  const here = await groupsByHash(
    hub,
    groups.map(({ hash }) => hash),
  );
  for (const group of groups) {
    const known = here.get(group.hash);
    if (known && known.uid !== uid) result.foreign.add(group.hash);
    else {
      const id = known?.id ?? (await insertGroup(hub, uid, group));
      if (!known) {
        result.added.add(group.hash);
        here.set(group.hash, { id, uid });
      }
      if (known === undefined || known.deleted === 0) result.members += await addMembers(hub, uid, id, group.members);
    }
  }
  return result;
}

type Known = { id: number; uid: number; deleted?: number };

async function groupsByHash(hub: Hub, hashes: readonly string[]): Promise<Map<string, Known>> {
  if (hashes.length === 0) return new Map();
  const rows = await hub.db
    .selectFrom("pgrp")
    .select(["id", "uid", "hash", "deleted"])
    .where(isOneOf(hub.engine, sql.ref("hash"), hashes))
    .execute();
  return new Map(rows.map(({ hash, ...row }) => [hash, row]));
}

async function insertGroup(hub: Hub, uid: number, { hash, gname, visible, deleted }: RestoredGroup): Promise<number> {
  const { id } = await hub.db
    .insertInto("pgrp")
    .values({ uid, hash, gname, visible, deleted })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

async function addMembers(hub: Hub, uid: number, gid: number, hashes: readonly string[]): Promise<number> {
  let added = 0;
  for (const members of inPieces([...new Set(hashes)])) {
    const rows = await hub.db
      .insertInto("pgrp_member")
      .values(members.map((xchan) => ({ uid, gid, xchan })))
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .execute();
    added += rows.length;
  }
  return added;
}
