import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { cutPage } from "../../storage/key-page.ts";
import { asFlag, inOrder, isOneOf } from "../../storage/sql.ts";
import { firstByName, isNamed } from "../connections/by-name.ts";
import type { NameQuery, PeopleQuery } from "../connections/by-name.ts";
import { peopleOf } from "../connections/list.ts";
import type { ListedPerson } from "../connections/list.ts";
import { isUnreached } from "../connections/unreached.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";

/** Somebody in a group; 1 for whom nothing reaches that is posted here. */
export type NamedMember = Xchan & { membership: number; unreached: number };

/** The members of a group of the channel by their names, without `own`, who reads all of it anyway. */
export async function membersByName(
  hub: Hub,
  groupId: number,
  own: string,
  { search = "", before, count }: NameQuery,
): Promise<{ members: NamedMember[]; next: number | undefined }> {
  const name = inOrder(hub.engine, sql.ref("xchan_name"));
  let query = hub.db
    .selectFrom("pgrp_member")
    .innerJoin("xchan", "xchan_hash", "pgrp_member.xchan")
    .selectAll("xchan")
    .select("pgrp_member.id as membership")
    .select(asFlag(isUnreached).as("unreached"))
    .where("pgrp_member.gid", "=", groupId)
    .where("pgrp_member.xchan", "<>", own)
    .where(isNamed(hub.engine, search))
    .orderBy(name)
    .orderBy("pgrp_member.id")
    .limit(count + 1);
  if (before !== undefined)
    query = query.where(
      sql<SqlBool>`(${name}, pgrp_member.id) > (select ${inOrder(hub.engine, sql.ref("mx.xchan_name"))}, m.id
        from pgrp_member m join xchan mx on mx.xchan_hash = m.xchan where m.id = ${before} and m.gid = ${groupId})`,
    );
  const { page: members, next } = cutPage(await query.execute(), count, (row) => row.membership);
  return { members, next };
}

/** People who could be added to a group of the channel, by their names; `more` says that these are not all. */
export function peopleOutside(
  hub: Hub,
  uid: number,
  groupId: number,
  query: PeopleQuery,
): Promise<{ people: ListedPerson[]; more: boolean }> {
  const isOutside = sql<SqlBool>`not exists (select 1 from pgrp_member m where m.gid = ${groupId} and m.xchan = xchan_hash)`;
  return firstByName(hub, peopleOf(hub, uid).where(isOutside), query);
}

/** Which of these are in the group, by hash. */
export async function membersAmong(hub: Hub, groupId: number, hashes: readonly string[]): Promise<Set<string>> {
  if (hashes.length === 0) return new Set();
  const rows = await hub.db
    .selectFrom("pgrp_member")
    .select("xchan")
    .where("gid", "=", groupId)
    .where((eb) => isOneOf(hub.engine, eb.ref("xchan"), hashes))
    .execute();
  return new Set(rows.map(({ xchan }) => xchan));
}
