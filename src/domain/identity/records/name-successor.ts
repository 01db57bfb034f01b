import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { contains, isOneOf } from "../../../storage/sql.ts";

/** A table whose rows belong to a channel and have access lists; each area says it of its own. */
export type Listed = {
  table: string;
  id: string;
  /** The channel that a row belongs to. */
  uid: string;
  /** What the names of the lists begin with. */
  prefix?: string;
  /** Before the id in an index of the rows of a channel. */
  date?: string;
  /** The other rows have no lists of their own. */
  only?: RawBuilder<SqlBool>;
};

/** Somebody has gone on as somebody else, as far as this channel is concerned; both by their hashes. */
export type Succession = { channel: number; person: string; successor: string };

/** How many rows one statement looks at. */
const together = 500;

/** Lets the successor in wherever the lists of a channel's rows let the person in, and keeps them out alike; harmless when repeated. */
export async function nameSuccessor(hub: Hub, listed: Listed, succession: Succession): Promise<void> {
  let last: Row | undefined;
  do {
    const rows = await someRows(hub, listed, succession, last);
    const named = rows.filter((row) => row.names).map(({ id }) => id);
    if (named.length > 0) await inTransaction(hub, (hub) => change(hub, listed, succession, named));
    last = rows.length === together ? rows.at(-1) : undefined;
  } while (last);
}

type Row = { id: number; date: string; names: boolean | number };

async function someRows(
  hub: Hub,
  { table, id, uid, prefix = "", date, only = sql<SqlBool>`1 = 1` }: Listed,
  { channel, person }: Succession,
  last: Row | undefined,
): Promise<Row[]> {
  const [key, at] = [sql.ref(id), date === undefined ? sql`''` : sql.ref(date)];
  const order = date === undefined ? key : sql`${at}, ${key}`;
  const rest =
    last === undefined
      ? sql`1 = 1`
      : date === undefined
        ? sql`${key} > ${last.id}`
        : sql`(${at}, ${key}) > (${last.date}, ${last.id})`;
  const named = (list: string) => contains(hub.engine, sql.ref(prefix + list), sql`${`<${person}>`}`);
  const { rows } = await sql<Row>`select ${key} as id, ${at} as date,
      (${named("allow_cid")} or ${named("deny_cid")}) as names
    from ${sql.table(table)} where ${sql.ref(uid)} = ${channel} and ${only} and ${rest}
    order by ${order} limit ${sql.lit(together)}`.execute(hub.db);
  return rows;
}

async function change(
  hub: Hub,
  { table, id, prefix = "" }: Listed,
  { person, successor }: Succession,
  ids: readonly number[],
): Promise<void> {
  const holds = (list: RawBuilder<unknown>, hash: string) => contains(hub.engine, list, sql`${`<${hash}>`}`);
  const added = (name: string) => {
    const list = sql.ref(prefix + name);
    return sql`${sql.id(prefix + name)} = case when ${holds(list, person)} and not ${holds(list, successor)}
      then ${list} || ${`<${successor}>`} else ${list} end`;
  };
  await sql`update ${sql.table(table)} set ${added("allow_cid")}, ${added("deny_cid")}
    where ${isOneOf(hub.engine, sql.ref(id), ids)}`.execute(hub.db);
}
