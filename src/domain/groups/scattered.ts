import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf, zeroDate } from "../../storage/sql.ts";
import { keepsGroupsTogether } from "../peers/software.ts";

/** Whose hubs do not show them what others of the same group answer. */
export type Scattered = {
  /** By their hashes, the hosts of connections. */
  people: ReadonlyMap<string, string>;
  /** The same people's hosts by the ids of the groups in which they are. */
  groups: ReadonlyMap<number, ReadonlySet<string>>;
};

const most = 1000;

/**
 * Connections of the channel whose hubs run software that does not keep a private thread together, as far as anybody knows: what
 * has not been asked yet counts as such.
 */
export async function scatteredPeople(hub: Hub, uid: number): Promise<Scattered> {
  const people = await hub.db
    .selectFrom("abook")
    .innerJoin("xchan", "xchan.xchan_hash", "abook.abook_xchan")
    .innerJoin("actor", "actor.xchan_id", "xchan.xchan_id")
    .leftJoin("peer", "peer.host", "actor.host")
    .select(["abook.abook_xchan as hash", "actor.host"])
    .where("abook_channel", "=", uid)
    .where("abook_pending", "=", 0)
    .where("abook_blocked", "=", 0)
    .where("abook_unconnected", "=", 0)
    .where("abook_archived", "=", 0)
    .where("actor.gone", "=", zeroDate)
    .where(
      sql<SqlBool>`coalesce(peer.software, '') not in (${sql.join(keepsGroupsTogether.map((name) => sql.lit(name)))})`,
    )
    .orderBy("abook_id")
    .limit(most)
    .execute();
  const hosts = new Map(people.map(({ hash, host }) => [hash, host]));
  return { people: hosts, groups: await hostsOfGroups(hub, uid, hosts) };
}

async function hostsOfGroups(
  hub: Hub,
  uid: number,
  hosts: ReadonlyMap<string, string>,
): Promise<Map<number, Set<string>>> {
  const groups = new Map<number, Set<string>>();
  if (hosts.size === 0) return groups;
  const members = await hub.db
    .selectFrom("pgrp_member")
    .select(["gid", "xchan"])
    .where("uid", "=", uid)
    .where(isOneOf(hub.engine, sql.ref("xchan"), [...hosts.keys()]))
    .orderBy("id")
    .execute();
  for (const { gid, xchan } of members) {
    const among = groups.get(gid) ?? new Set();
    groups.set(gid, among.add(hosts.get(xchan)!));
  }
  return groups;
}
