import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { ftsExpression, tsExpression, weightOf } from "./expression.ts";
import type { Sought } from "./read-query.ts";

/** Which of the items that have what is sought. */
export type Wanted = {
  /** The channel that looks, and the public scope. */
  scopes: readonly number[];
  /** Conditions about `item`. */
  where: RawBuilder<SqlBool>;
  /** Ids up to this one, and after that one. */
  maxId?: number | undefined;
  sinceId?: number | undefined;
  skip?: number;
  count: number;
};

/** The ids of items, newest first. What is neither public nor the channel's own is not looked at on the way. */
export async function findItems(hub: Hub, sought: Sought, wanted: Wanted): Promise<number[]> {
  // Nobody of that name: nothing can have been written by them.
  if (sought.all.some((term) => term.tokens.length === 0)) return [];
  const real = { ...sought, none: sought.none.filter((term) => term.tokens.length > 0) };
  return hub.engine === "sqlite" ? findBySqlite(hub, real, wanted) : findByPostgres(hub, real, wanted);
}

/** The index gives its rows one by one, the newest first, so that nothing beyond the page is read. */
async function findBySqlite(hub: Hub, sought: Sought, wanted: Wanted): Promise<number[]> {
  const { maxId = Number.MAX_SAFE_INTEGER, sinceId = 0, skip = 0, count } = wanted;
  const found = sql<{ id: number }>`(select item.id as id from search cross join item on item.id = search.rowid
    where search match ${ftsExpression(wanted.scopes, sought)} and search.rowid <= ${maxId} and search.rowid > ${sinceId}
    and ${wanted.where} order by search.rowid desc limit 0 + ${count} offset 0 + ${skip})`;
  const rows = await hub.db.selectFrom(found.as("found")).select("found.id").orderBy("found.id", "desc").execute();
  return rows.map((row) => row.id);
}

/** Ids of one range differ only below this bit (migration 0003). */
const rangeBits = 15;
/** A question is asked for more and more ranges at once, but never with more words of the index than that. */
const mostWords = 1500;

/** This engine reads all that it finds of a word before it sorts, so it is asked range by range, from the newest ids on. */
async function findByPostgres(hub: Hub, sought: Sought, wanted: Wanted): Promise<number[]> {
  const { maxId = Number.MAX_SAFE_INTEGER, sinceId = 0, count } = wanted;
  const newest = Math.min(maxId, await newestId(hub));
  const last = Math.floor(sinceId / 2 ** rangeBits);
  const most = Math.max(1, Math.floor(mostWords / (weightOf(sought) * wanted.scopes.length)));
  const ids: number[] = [];
  let skip = wanted.skip ?? 0;
  let together = 1;
  for (let range = Math.floor(newest / 2 ** rangeBits); range >= last && ids.length < count; together *= 4) {
    const ranges: number[] = [];
    while (ranges.length < Math.min(together, most) && range >= last) ranges.push(range--);
    const found = await findInRanges(
      hub,
      tsExpression(wanted.scopes, ranges, sought),
      wanted,
      skip + count - ids.length,
    );
    ids.push(...found.slice(skip));
    skip -= Math.min(skip, found.length);
  }
  return ids;
}

async function findInRanges(hub: Hub, question: string, wanted: Wanted, most: number): Promise<number[]> {
  const { maxId = Number.MAX_SAFE_INTEGER, sinceId = 0, where } = wanted;
  // `offset 0` keeps the planner from joining before it sorts.
  const { rows } = await sql<{ id: number }>`
    with found as materialized (select id from search_ids(${question}::tsquery, ${maxId}, ${sinceId}) as id)
    select newest.id from (select found.id from found order by found.id desc) as newest
    cross join lateral (select item.id from item where item.id = newest.id and ${where} offset 0) as wanted
    order by newest.id desc limit ${most}`.execute(hub.db);
  return rows.map((row) => row.id);
}

async function newestId(hub: Hub): Promise<number> {
  const row = await hub.db.selectFrom("search").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  return row?.id ?? 0;
}
