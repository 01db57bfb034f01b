import { setImmediate as othersTurn } from "node:timers/promises";
import { sql } from "kysely";
import type { Expression, ExpressionBuilder, SelectQueryBuilder, SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { Tables } from "../../../storage/tables/index.ts";
import { assemblePage } from "../assemble.ts";
import { no, selectInFull, yes } from "../queries.ts";
import type { FullItem } from "../columns.ts";
import type { ItemPage } from "../types.ts";

/** Whole collections of a channel's own items, oldest first, as exports take them. */

/** Which items: what `item/export_page` has, posts without linked records, pages, wikis. Never tombstones. */
export type Collection = "everything" | "posts" | "pages" | "wikis";

/** The items of a collection within these bounds, all of them inclusive. */
export type Range = { since?: string; until?: string; newestId?: number };

/** Where an item stands in the order. */
export type Place = { created: string; id: number };

const together = 50;

type Rows = SelectQueryBuilder<Tables, "item" | "message", object>;
type Condition = (eb: ExpressionBuilder<Tables, "item" | "message">) => Expression<SqlBool>;

/** Repeats the condition of the index `item_export`, which the planner asks for. */
const ownContent = sql<SqlBool>`(item.item_wall = 1 or item.item_type > 0)`;

const conditions: Record<Collection, Condition> = {
  everything: (eb) => eb.and([ownContent, eb("message.resource_type", "<>", sql.lit("photo"))]),
  posts: (eb) => eb.and([ownContent, eb("item.item_wall", "=", yes), eb("message.resource_type", "=", sql.lit(""))]),
  pages: (eb) => eb.and([eb("item.item_type", ">", no), eb("item.item_type", "<", sql.lit(4))]),
  wikis: (eb) =>
    eb.and([ownContent, eb("item.item_wall", "=", yes), sql<SqlBool>`message.resource_type in ('nwiki', 'nwikipage')`]),
};

/** Reads a collection some items at a time, however long it is. */
export async function* itemsByDate(
  hub: Hub,
  uid: number,
  collection: Collection,
  range: Range = {},
): AsyncGenerator<ItemPage<FullItem>> {
  let after: Place | undefined;
  for (;;) {
    const places = await placesByDate(hub, uid, collection, range, { after, count: together });
    if (places.length > 0) yield await itemsAt(hub, uid, places);
    if (places.length < together) return;
    after = places.at(-1);
    await othersTurn();
  }
}

/** Reads these items some at a time, in their order; those that are gone by then are left out. */
export async function* itemsOf(hub: Hub, uid: number, places: readonly Place[]): AsyncGenerator<ItemPage<FullItem>> {
  for (let start = 0; start < places.length; start += together) {
    yield await itemsAt(hub, uid, places.slice(start, start + together));
    await othersTurn();
  }
}

/** Where the next items of a collection stand: after a known one, or after so many. */
export async function placesByDate(
  hub: Hub,
  uid: number,
  collection: Collection,
  range: Range,
  { after, skip = 0, count }: { after?: Place | undefined; skip?: number; count: number },
): Promise<Place[]> {
  // SQLite looks for one lower bound in the index, so there is only one.
  const rest = after ? { ...range, since: after.created } : range;
  let query = within(hub, uid, collection, rest).select(["item.created", "item.id"]);
  if (after) {
    query = query.where((eb) => eb.or([eb("item.created", ">", after.created), eb("item.id", ">", after.id)]));
  }
  return query.orderBy("item.created").orderBy("item.id").offset(skip).limit(count).execute();
}

/** How many items of a collection there are. */
export async function countByDate(hub: Hub, uid: number, collection: Collection, range: Range): Promise<number> {
  const { count } = await within(hub, uid, collection, range)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** When the oldest and the newest item of a collection were written. */
export async function datesOf(
  hub: Hub,
  uid: number,
  collection: Collection,
): Promise<{ first: string; last: string } | undefined> {
  const end = (direction: "asc" | "desc") =>
    within(hub, uid, collection, {})
      .select("item.created")
      .orderBy("item.created", direction)
      .orderBy("item.id", direction)
      .limit(1)
      .executeTakeFirst();
  const [first, last] = [await end("asc"), await end("desc")];
  return first && last && { first: first.created, last: last.created };
}

function within(hub: Hub, uid: number, collection: Collection, { since, until, newestId }: Range): Rows {
  let query = hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .where("item.uid", "=", uid)
    .where("item.item_deleted", "=", no)
    .where(conditions[collection]);
  if (since !== undefined) query = query.where("item.created", ">=", since);
  if (until !== undefined) query = query.where("item.created", "<=", until);
  if (newestId !== undefined) query = query.where("item.id", "<=", newestId);
  return query;
}

async function itemsAt(hub: Hub, uid: number, places: readonly Place[]): Promise<ItemPage<FullItem>> {
  const ids = places.map(({ id }) => id);
  const items = await selectInFull(hub)
    .where((eb) => isOneOf(hub.engine, eb.ref("item.id"), ids))
    .where("item.item_deleted", "=", no)
    .orderBy("item.created")
    .orderBy("item.id")
    .execute();
  return assemblePage(hub, items, uid);
}
