import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { contains } from "../../storage/sql.ts";
import { ftsExpression, isPhrase, tsExpression, weightOf } from "./expression.ts";
import type { Days, Sought, Term } from "./read-query.ts";

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
  /** Those that come right after `sinceId`, in place of the newest. */
  upwards?: boolean;
};

/** Of the items that the index names so many are looked at, beside those that are skipped: who may see them? */
const mostLookedAt = 4000;
/** So many where the text must be looked at, too, for one phrase; of several each costs as much. */
const mostRead = 1500;

/**
 * The ids of items, newest first, among the newest so many that the index names, or upwards among the oldest. What is neither public nor the channel's
 * own is not looked at on the way.
 */
export async function findItems(hub: Hub, sought: Sought, wanted: Wanted): Promise<number[]> {
  // Nobody of that name: nothing can have been written by them.
  if (sought.all.some((term) => term.tokens.length === 0)) return [];
  const real = { ...sought, none: sought.none.filter((term) => term.tokens.length > 0) };
  const phrases = [
    ...real.all.filter(isPhrase).map((term) => hasPhrase(hub, term)),
    ...real.none.filter(isPhrase).map((term) => sql<SqlBool>`not ${hasPhrase(hub, term)}`),
  ];
  const where = sql<SqlBool>`${sql.join([...phrases, wanted.where], sql` and `)}`;
  const look = (phrases.length > 0 ? Math.ceil(mostRead / phrases.length) : mostLookedAt) + (wanted.skip ?? 0);
  const find = hub.engine === "sqlite" ? findBySqlite : findByPostgres;
  return find(hub, real, { ...wanted, where }, look);
}

/** Do the tokens stand side by side in what the message of `item` is found by? */
function hasPhrase(hub: Hub, { tokens, how }: Term): RawBuilder<SqlBool> {
  const text = sql`(select ' ' || message.words || ' ' from message where message.id = item.message_id)`;
  return sql`(${contains(hub.engine, text, sql`${` ${tokens.join(" ")}${how === "open" ? "" : " "}`}`)})`;
}

/** The index gives its rows one by one, the newest first, so that nothing beyond the page is read; the join keeps their order. */
async function findBySqlite(hub: Hub, sought: Sought, wanted: Wanted, look: number): Promise<number[]> {
  const { maxId = Number.MAX_SAFE_INTEGER, sinceId = 0, skip = 0, count, where } = wanted;
  const way = wayOf(wanted);
  const named = sql`(select search.rowid as id from search where search match ${ftsExpression(wanted.scopes, sought)}
    and search.rowid <= ${maxId} and search.rowid > ${sinceId} order by search.rowid ${way} limit 0 + ${look})`;
  const found = sql<{ id: number }>`(select item.id as id from ${named} as named cross join item on item.id = named.id
    where ${where} limit 0 + ${count} offset 0 + ${skip})`;
  const rows = await hub.db.selectFrom(found.as("found")).select("found.id").orderBy("found.id", "desc").execute();
  return rows.map((row) => row.id);
}

function wayOf({ upwards = false }: Pick<Wanted, "upwards">): RawBuilder<unknown> {
  return sql.raw(upwards ? "asc" : "desc");
}

/** Ids of one range differ only below this bit (migration 0003). */
const rangeBits = 15;
/** A question is asked for more and more ranges at once, but never with more words of the index than that. */
const mostWords = 1500;
/** Where so many items were named in the last ranges, as many ranges more are enough. */
const plenty = 500;

/** This engine reads all that it finds of a word before it sorts, so it is asked range by range, from the newest ids on. */
async function findByPostgres(hub: Hub, sought: Sought, wanted: Wanted, look: number): Promise<number[]> {
  const ranges = await rangesOf(hub, sought.days, wanted);
  const most = Math.max(1, Math.floor(mostWords / (weightOf(sought) * wanted.scopes.length)));
  const { skip = 0, count } = wanted;
  const ids: number[] = [];
  let left = look;
  for (let together = 1; ranges.length > 0 && ids.length < skip + count && left > 0;) {
    const question = tsExpression(wanted.scopes, ranges.splice(0, Math.min(together, most)), sought);
    const { named, found } = await findInRanges(hub, question, wanted, left, skip + count - ids.length);
    ids.push(...found);
    left -= named;
    if (named < plenty) together *= 4;
  }
  return ids.slice(skip, skip + count).toSorted((one, other) => other - one);
}

/** The ranges of ids, in the order in which they are asked, that have something of these days. */
async function rangesOf(
  hub: Hub,
  { since = "", until = "9999" }: Days,
  { maxId = Number.MAX_SAFE_INTEGER, sinceId = 0, upwards }: Wanted,
): Promise<number[]> {
  const rows = await hub.db
    .selectFrom("search_range")
    .select("id")
    .where("id", "<=", Math.floor(maxId / 2 ** rangeBits))
    .where("id", ">=", Math.floor(sinceId / 2 ** rangeBits))
    .where("oldest", "<=", until)
    .where("newest", ">=", since)
    .orderBy("id", upwards ? "asc" : "desc")
    .execute();
  return rows.map((row) => row.id);
}

/** How many items the index names, at most so many, and which of them are wanted. */
async function findInRanges(
  hub: Hub,
  question: string,
  { maxId = Number.MAX_SAFE_INTEGER, sinceId = 0, where, upwards }: Wanted,
  look: number,
  most: number,
): Promise<{ named: number; found: number[] }> {
  const way = wayOf({ upwards: upwards ?? false });
  // `offset 0` keeps the planner from joining before it sorts.
  const { rows } = await sql<{ id: number }>`
    with named as materialized (
      select id from search_ids(${question}::tsquery, ${maxId}, ${sinceId}) as id order by id ${way} limit ${look})
    select 0 - count(*) as id from named union all
    (select newest.id from (select named.id from named order by named.id ${way}) as newest
      cross join lateral (select item.id from item where item.id = newest.id and ${where} offset 0) as wanted
      order by newest.id ${way} limit ${most})`.execute(hub.db);
  const ids = rows.map((row) => row.id);
  return { named: -Math.min(0, ...ids), found: ids.filter((id) => id > 0) };
}
