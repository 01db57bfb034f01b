import { sql } from "kysely";
import type { RawBuilder, SelectQueryBuilder, SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import type { Engine } from "../../storage/engine.ts";
import { cutPage } from "../../storage/key-page.ts";
import { contains, folded, inOrder, isOneOf } from "../../storage/sql.ts";
import type { Tables } from "../../storage/tables/index.ts";
import { accountFlags } from "../identity/channels/account-flags.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import type { Abook } from "./types.ts";

export type NamedConnection = Abook & Xchan;

export type NameQuery = {
  /** What the name or the address has in it; empty for everybody. */
  search?: string;
  /** Requests that wait for an answer, in the place of what is answered. */
  pending?: boolean;
  /** Only those who see the profile with this guid. */
  profile?: string;
  /** The last page's `next`. */
  before?: number | undefined;
  count: number;
};

/** Answered connections of the channel by their names, those that it has blocked or archived among them. */
export async function connectionsByName(
  hub: Hub,
  uid: number,
  { search = "", pending = false, profile, before, count }: NameQuery,
): Promise<{ connections: NamedConnection[]; next: number | undefined }> {
  const name = inOrder(hub.engine, sql.ref("xchan_name"));
  let query = hub.db
    .selectFrom("abook")
    .innerJoin("xchan", "xchan_hash", "abook_xchan")
    .selectAll(["abook", "xchan"])
    .where("abook_channel", "=", uid)
    .where("abook_self", "=", 0)
    .where("abook_pending", "=", pending ? 1 : 0)
    .where("abook_unconnected", "=", 0)
    .where(isNamed(hub.engine, search))
    .orderBy(name)
    .orderBy("abook_id")
    .limit(count + 1);
  if (profile !== undefined) query = query.where("abook_profile", "=", profile);
  if (before !== undefined)
    query = query.where(
      sql<SqlBool>`(${name}, abook_id) > (select ${inOrder(hub.engine, sql.ref("bx.xchan_name"))}, b.abook_id
        from abook b join xchan bx on bx.xchan_hash = b.abook_xchan where b.abook_id = ${before} and b.abook_channel = ${uid})`,
    );
  const { page: connections, next } = cutPage(await query.execute(), count, (row) => row.abook_id);
  return { connections, next };
}

/** Which people of a list are wanted: the first `count` of those whose name or address has this in it. */
export type PeopleQuery = Pick<NameQuery, "search" | "count">;

/** Of an identity: no account of this hub that is locked out has it. */
const isNotLockedOut = sql<SqlBool>`not exists (select 1 from channel c join account a on a.account_id = c.channel_account_id
  where c.channel_hash = xchan_hash and a.account_flags & ${sql.lit(accountFlags.blocked)} <> 0)`;

/** People to choose, by their names out of a query for them; `more` says that these are not all. Who is locked out is not among them. */
export function firstByName<Row extends { abook_id: number }>(
  hub: Hub,
  people: PeopleSelection<Row>,
  query: PeopleQuery,
): Promise<{ people: Row[]; more: boolean }> {
  return pageByName(hub, people.where(isNotLockedOut), query);
}

type PeopleSelection<Row> = SelectQueryBuilder<Tables, "abook" | "xchan", Row>;

async function pageByName<Row extends { abook_id: number }>(
  hub: Hub,
  people: PeopleSelection<Row>,
  { search = "", count }: PeopleQuery,
): Promise<{ people: Row[]; more: boolean }> {
  const rows = await people
    .where(isNamed(hub.engine, search))
    .orderBy(inOrder(hub.engine, sql.ref("xchan_name")))
    .orderBy("abook_id")
    .limit(count + 1)
    .execute();
  return { people: rows.slice(0, count), more: rows.length > count };
}

/** Those of these people, by hash, whom a query for people has, by their names: who was chosen stays so while they are locked out. */
export async function amongByName<Row extends { abook_id: number }>(
  hub: Hub,
  people: PeopleSelection<Row>,
  hashes: readonly string[],
): Promise<Row[]> {
  if (hashes.length === 0) return [];
  const among = people.where(isOneOf(hub.engine, sql.ref("xchan.xchan_hash"), hashes, "text"));
  return (await pageByName(hub, among, { count: hashes.length })).people;
}

/** Is this in somebody's name or address, as people write either? Everybody has nothing in it. */
export function isNamed(engine: Engine, search: string): RawBuilder<SqlBool> {
  const wanted = search.trim().slice(0, 100).replace(/^@/, "").toLowerCase();
  if (wanted === "") return sql<SqlBool>`1 = 1`;
  return contains(engine, folded(engine, sql`xchan_name || ' ' || xchan_addr`), sql`${wanted}`);
}
