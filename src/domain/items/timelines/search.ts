import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { contains, folded, isOneOf } from "../../../storage/sql.ts";
import { unwantedBy } from "../../connections/unwanted.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import { siteChannelIfMade } from "../../identity/channels/site-actor.ts";
import { visibleTo } from "../../permissions/visible.ts";
import { publicScope } from "../../search/expression.ts";
import { findItems } from "../../search/find.ts";
import type { Wanted } from "../../search/find.ts";
import { rank } from "../../search/rank.ts";
import { onlyTag, readQuery, tagsAmong } from "../../search/read-query.ts";
import { narrowedBy } from "./narrowed.ts";
import { findByUrl } from "./find-by-url.ts";
import type { PageBefore } from "./public-threads.ts";
import { selectItems, selectStatuses, sharesPurely } from "../queries.ts";
import { all, listed, notInForum, notLimited, notOwned, shown, notRepeatedByForum } from "./timeline-sources.ts";
import type { TimelineQuery } from "./timelines.ts";
import type { StatusItem } from "../columns.ts";
import type { Item } from "../types.ts";

/** By page numbers one comes no further than this; bounds of ids lead on. */
const furthest = 10_000;
/** So many of the newest matches are ranked. */
const ranked = 1000;
/** Where no word fits, so many of the newest statuses are looked through, of one's own and of public ones. */
const lookedThrough = 200;
/** So much of each, or texts at their full length would stop everybody else. */
const lookedAt = sql<string>`substr(message.body, 1, 10000)`;

export type StatusSearch = Pick<TimelineQuery, "count" | "sinceId" | "maxId" | "excludeReplies"> & {
  skip: number;
  /** Only what this person wrote. */
  author?: number;
};

/**
 * Statuses that are public or in the observer's stream and have what is asked for, newest first: a hashtag, the address
 * of one post, or words (domain/search/read-query.ts).
 */
export async function searchStatuses(
  hub: Hub,
  observer: Observer,
  text: string,
  query: StatusSearch,
): Promise<StatusItem[]> {
  const { skip, count } = query;
  if (skip >= furthest) return [];
  const bounds = { sinceId: query.sinceId || undefined, maxId: query.maxId || undefined, skip, count };
  const ids = await search(hub, observer, text, bounds, query);
  const rows = await selectStatuses(hub)
    .where(isOneOf(hub.engine, sql.ref("item.id"), ids))
    .execute();
  return inOrder(ids, rows);
}

/** What people find on the page, newest first, each message once. */
export async function searchItems(
  hub: Hub,
  observer: Observer,
  text: string,
  { before, count }: PageBefore,
): Promise<{ items: Item[]; next: number | undefined }> {
  const maxId = before === undefined ? undefined : before - 1;
  const ids = await search(hub, observer, text, { maxId, count: count + 1 });
  const items = await loadItems(hub, ids.slice(0, count));
  return { items, next: ids.length > count ? ids[count - 1] : undefined };
}

/** The same by how well it fits, among the newest matches; `next` is the number of the next page. */
export async function bestItems(
  hub: Hub,
  observer: Observer,
  text: string,
  { page, count }: { page: number; count: number },
): Promise<{ items: Item[]; next: number | undefined }> {
  const ids = await search(hub, observer, text, { count: ranked });
  const best = await rank(hub, await readQuery(hub, observer, text), ids);
  const items = await loadItems(hub, best.slice((page - 1) * count, page * count));
  return { items, next: best.length > page * count ? page + 1 : undefined };
}

/** Statuses with a hashtag, or a reader's tag, that the observer may see, each message once, newest first. */
export async function taggedStatuses(
  hub: Hub,
  observer: Observer,
  tag: string,
  { before, count }: PageBefore,
): Promise<{ items: Item[]; next: number | undefined }> {
  const maxId = before === undefined ? undefined : before - 1;
  const wanted = { ...(await findable(hub, observer)), maxId, count: count + 1 };
  const ids = await findItems(hub, onlyTag(tag), wanted);
  return { items: await loadItems(hub, ids.slice(0, count)), next: ids.length > count ? ids[count - 1] : undefined };
}

/** Hashtags that statuses have: one of `any` at least, all of `all`, none of `none`. */
export type TagQuestion = Record<"any" | "all" | "none", readonly string[]> &
  Pick<TimelineQuery, "count" | "sinceId" | "maxId" | "minId" | "onlyMedia" | "written">;

/** Statuses with these hashtags that are in the observer's stream or public, and listed; newest first. */
export async function tagTimeline(hub: Hub, observer: Observer, asked: TagQuestion): Promise<StatusItem[]> {
  const { count, maxId, sinceId, minId } = asked;
  const { scopes, where } = await findable(hub, observer);
  const ids = await findItems(hub, tagsAmong(asked), {
    scopes,
    where: all([where, listed, ...narrowedBy(asked)]),
    count,
    maxId,
    sinceId: minId ?? sinceId,
    upwards: minId !== undefined,
  });
  const rows = await selectStatuses(hub)
    .where(isOneOf(hub.engine, sql.ref("item.id"), ids))
    .execute();
  return inOrder(ids, rows);
}

type Bounds = Pick<Wanted, "sinceId" | "maxId" | "skip" | "count">;

async function search(
  hub: Hub,
  observer: Observer,
  text: string,
  bounds: Bounds,
  { excludeReplies = false, author }: Pick<StatusSearch, "excludeReplies" | "author"> = {},
): Promise<number[]> {
  const address = text.trim();
  if (/^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(address))
    return onlyWithin(await findByUrl(hub, observer, address), bounds, excludeReplies);
  const { scopes, where: everything } = await findable(hub, observer);
  const narrower = [
    ...(excludeReplies ? [sql<SqlBool>`item.item_thread_top = 1`] : []),
    ...(author === undefined ? [] : [sql<SqlBool>`item.author_id = ${author}`]),
  ];
  const where = all([everything, ...narrower]);
  const tag = /^#([^\s#"]+)$/.exec(address)?.[1];
  const sought = tag === undefined ? await readQuery(hub, observer, text) : onlyTag(tag);
  const asks = sought.all.length + sought.none.length > 0;
  const found = asks ? await findItems(hub, sought, { scopes, where, ...bounds }) : [];
  if (found.length > 0 || sought.text === undefined || sought.text === "") return found;
  const isPart = bounds.skip || bounds.maxId || bounds.sinceId;
  if (asks && isPart && (await findItems(hub, sought, { scopes, where, count: 1 })).length > 0) return [];
  return lookThrough(hub, sought.text, scopes, where, bounds);
}

function onlyWithin(item: Item | undefined, { sinceId = 0, maxId = Infinity, skip = 0 }: Bounds, topsOnly: boolean) {
  if (!item || skip > 0 || item.id <= sinceId || item.id > maxId) return [];
  return topsOnly && item.item_thread_top === 0 ? [] : [item.id];
}

/**
 * Where the observer looks, and what it may find there: each message once, by its own copy, else by the one on the owner's wall,
 * else, for people of this hub, by the one that the site keeps.
 */
async function findable(hub: Hub, observer: Observer): Promise<Pick<Wanted, "scopes" | "where">> {
  const me = observer.channelId;
  const site = me > 0 ? await siteChannelIfMade(hub) : 0;
  const own = sql<number>`${me}`;
  const conditions = [
    shown,
    sql<SqlBool>`(item.uid = ${me} or (item.item_private = 0 and ${notLimited} and ${notOwned(own)} and (item.item_wall = 1 and ${notRepeatedByForum}
      or item.uid = ${site} and ${notInForum})))`,
    notJustShared(own, site),
    visibleTo(hub, observer),
  ];
  if (me > 0) conditions.push(wantedBy(own));
  const scopes = [...(me > 0 ? [me] : []), publicScope, ...(site > 0 ? [site] : [])];
  return { scopes, where: all(conditions) };
}

/** What people share without a word of their own is found as what it is, where that is here for the observer. */
function notJustShared(me: RawBuilder<number>, site: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (select 1 from message share join item original on original.message_id = share.shared_id
    where share.id = item.message_id and share.shared_id > 0 and ${sharesPurely("share")} and original.item_normal = 1
    and (original.uid = ${me} or (original.item_private = 0 and (original.item_wall = 1 or original.uid = ${site}))) limit 1 offset 0)`;
}

/** Nothing by or of those whom the channel has blocked or ignores. */
function wantedBy(me: RawBuilder<number>): RawBuilder<SqlBool> {
  return sql<SqlBool>`item.author_id not in (${unwantedBy(me)}) and item.owner_id not in (${unwantedBy(me)})`;
}

/** Where nothing has the words: the newest statuses whose body holds the text somewhere, be it in the middle of a word. */
async function lookThrough(
  hub: Hub,
  text: string,
  scopes: readonly number[],
  where: RawBuilder<SqlBool>,
  { sinceId = 0, maxId = Number.MAX_SAFE_INTEGER, skip = 0, count }: Bounds,
): Promise<number[]> {
  const newest = (condition: RawBuilder<unknown>) =>
    sql`select id from (select item.id from item where ${condition} and ${shown} order by item.id desc limit 0 + ${lookedThrough}) as newest`;
  const places = scopes.map((scope) =>
    scope === publicScope
      ? [0, 1].map((origin) =>
          newest(sql`item.item_wall = 1 and item.item_private = 0 and item.item_origin = ${sql.lit(origin)}`),
        )
      : [newest(sql`item.uid = ${scope}`)],
  );
  // Asked for apart, because a planner would rather walk all items than trust that these are few.
  const window = sql<{ id: number }>`(${sql.join(places.flat(), sql` union `)})`;
  const newestOnes = await hub.db.selectFrom(window.as("newest")).select("newest.id").execute();
  const ids = newestOnes.map((row) => row.id).filter((id) => id > sinceId && id <= maxId);
  const rows = await hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select("item.id")
    .where(isOneOf(hub.engine, sql.ref("item.id"), ids))
    .where(contains(hub.engine, folded(hub.engine, lookedAt), sql`${text.toLowerCase()}`))
    .where(listed)
    .where(where)
    .orderBy("item.id", "desc")
    .limit(count)
    .offset(skip)
    .execute();
  return rows.map((row) => row.id);
}

/** The items with these ids, in their order. */
export async function loadItems(hub: Hub, ids: readonly number[]): Promise<Item[]> {
  if (ids.length === 0) return [];
  const rows = await selectItems(hub)
    .where(isOneOf(hub.engine, sql.ref("item.id"), ids))
    .execute();
  return inOrder(ids, rows);
}

function inOrder<T extends { id: number }>(ids: readonly number[], rows: readonly T[]): T[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
