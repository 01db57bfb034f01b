import { sql } from "kysely";
import type { SelectQueryBuilder } from "kysely";
import type { Database } from "./engine.ts";

/** Which part of a list is wanted: `count` keys, those that follow `after` or those that go before `before`, the largest first. */
export type KeyWindow = {
  count: number;
  after?: number | undefined;
  before?: number | undefined;
  /** Only keys greater than this, and only up to that. */
  sinceId?: number | undefined;
  maxId?: number | undefined;
  /** For pages with numbers, which go by no key. */
  skip?: number | undefined;
};

/** A part of a list; `next` and `previous` are the keys to go on after and to go back before, 0 where the list ends. */
export type KeyPage = { keys: number[]; next: number; previous: number; total: number };

/**
 * One page out of rows of which one more than `count` was asked for, and the key to go on after, undefined where the list
 * ends.
 */
export function cutPage<Row, Key>(
  rows: readonly Row[],
  count: number,
  keyOf: (row: Row) => Key,
): { page: Row[]; next: Key | undefined } {
  const page = rows.slice(0, count);
  const last = page.at(-1);
  return { page, next: last !== undefined && rows.length > count ? keyOf(last) : undefined };
}

/** A query that selects the keys of a list as `key`. */
// oxlint-disable-next-line typescript/no-explicit-any -- whatever it selects them from
export type KeyQuery = SelectQueryBuilder<any, any, { key: number }>;

/** Reads one part of a list by key, so that nothing is lost or doubled when the list changes in between. */
export async function keyPage(hub: { db: Database }, list: KeyQuery, window: KeyWindow): Promise<KeyPage> {
  const keys = await keysOf(hub, list, window);
  // Where nobody is left on a page, going back or on starts at its edge.
  const first = keys[0] ?? (window.after ?? 1) - 1;
  const last = keys.at(-1) ?? (window.before ?? -1) + 1;
  const around = await countAround(hub, list, window, { first, last });
  return {
    keys,
    next: around.later > 0 ? last : 0,
    previous: around.earlier > 0 ? first : 0,
    total: around.total,
  };
}

async function keysOf({ db }: { db: Database }, list: KeyQuery, window: KeyWindow): Promise<number[]> {
  const backwards = window.before !== undefined;
  let query = db.selectFrom(list.as("list")).select("key").limit(window.count);
  if (window.skip) query = query.offset(window.skip);
  if (window.before !== undefined) query = query.where("key", ">", window.before);
  if (window.after !== undefined) query = query.where("key", "<", window.after);
  if (window.sinceId) query = query.where("key", ">", window.sinceId);
  if (window.maxId) query = query.where("key", "<=", window.maxId);
  const rows = await query.orderBy("key", backwards ? "asc" : "desc").execute();
  const keys = rows.map((row) => Number(row.key));
  return backwards ? keys.toReversed() : keys;
}

/** How many there are in all, and how many on either side of the page as far as the bounds reach. */
async function countAround(
  { db }: { db: Database },
  list: KeyQuery,
  { sinceId = 0, maxId = 0 }: KeyWindow,
  { first, last }: { first: number; last: number },
): Promise<{ total: number; earlier: number; later: number }> {
  const upTo = maxId === 0 ? Number.MAX_SAFE_INTEGER : maxId;
  const row = await db
    .selectFrom(list.as("list"))
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .select(sql<number>`coalesce(sum(case when key > ${first} and key <= ${upTo} then 1 else 0 end), 0)`.as("earlier"))
    .select(sql<number>`coalesce(sum(case when key < ${last} and key > ${sinceId} then 1 else 0 end), 0)`.as("later"))
    .executeTakeFirstOrThrow();
  return { total: Number(row.total), earlier: Number(row.earlier), later: Number(row.later) };
}
