import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { eachOf, isOneOf } from "../../../storage/sql.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import { rowsSeen } from "../../permissions/visible.ts";
import { no, selectItems, withoutUnwanted, yes } from "../queries.ts";
import type { ItemQuery } from "../queries.ts";
import { filterThreads, unfiltered, wantedThreads } from "./stream-filters.ts";
import type { Item, StreamQuery } from "../types.ts";

/** Where a page ends: the last activity of its last thread, and that thread's id. */
export type StreamCursor = { date: string; id: number };

export type NetworkPage = { tops: Item[]; next: StreamCursor | undefined };
export type NetworkFilter = Partial<Pick<StreamQuery, "groupId" | "star" | "conv" | "tag" | "file" | "search">>;

/**
 * Tops of the channel's threads, the ones with the latest activity first. Pages by key, so that the last page costs
 * what the first one does. Throws missing for an unknown group.
 */
export async function networkPage(
  hub: Hub,
  channel: Channel,
  filter: NetworkFilter,
  page: { before?: StreamCursor | undefined; count: number },
): Promise<NetworkPage> {
  const { before, count } = page;
  const rows = await pageOfTops(hub, channel, filter, { date: before?.date, id: before?.id }, count + 1);
  const last = rows[count - 1];
  const next = rows.length > count && last ? { date: last.commented, id: last.id } : undefined;
  return { tops: rows.slice(0, count), next };
}

type Bounds = { date: string | undefined; id: number | undefined };

/** What most pages ask is put together once for all readers; each group, word or folder is asked for by a statement of its own. */
async function pageOfTops(
  hub: Hub,
  channel: Channel,
  filter: NetworkFilter,
  bounds: Bounds,
  limit: number,
): Promise<Item[]> {
  const { groupId, tag, file, search, star = false, conv = false } = filter;
  const asked = { ...unfiltered, top: true, ...filter };
  const tops = (): ItemQuery => selectItems(hub).where("item.item_thread_top", "=", yes);
  const reader = { uid: channel.channel_id, me: channel.xchan_id };
  if ([groupId, tag, file, search].some((value) => value !== undefined)) {
    const threads = await filterThreads(hub, channel, asked, tops());
    return threads ? cut(threads, { ...reader, ...bounds }, limit).execute() : [];
  }
  return compiled(hub, `network page, ${star} ${conv} ${limit}`, { ...reader, ...bounds }, (slots) =>
    cut(wantedThreads(hub, slots, asked, tops()), slots, limit),
  );
}

type Cut = {
  uid: number | RawBuilder<number>;
  date: string | RawBuilder<string> | undefined;
  id: number | RawBuilder<number> | undefined;
};

function cut(threads: ItemQuery, { uid, date, id }: Cut, limit: number): ItemQuery {
  let query = withoutUnwanted(threads, uid, "only blocked");
  if (date !== undefined && id !== undefined)
    query = query.where((x) =>
      x.and([x("item.commented", "<=", date), x.or([x("item.commented", "<", date), x("item.id", "<", id)])]),
    );
  return query.orderBy("item.commented", "desc").orderBy("item.id", "desc").limit(sql.lit(limit));
}

/** The newest comments below these tops, at most `count` for each, oldest first, as far as the observer may see them. */
export async function lastComments(
  hub: Hub,
  observer: Observer,
  tops: readonly Item[],
  count: number,
): Promise<Item[]> {
  if (tops.length === 0) return [];
  const uid = observer.channelId;
  const ids = tops.map((top) => top.id);
  return rowsSeen(hub, observer, "last comments", { ids, uid, count }, (given, seen) => {
    let below = hub.db
      .selectFrom("item")
      .where(isOneOf(hub.engine, sql.ref("item.parent"), given.ids))
      .where(sql<SqlBool>`item.id in (${newestBelow(hub, given.ids)})`)
      .where("item.item_normal", "=", yes)
      .where("item.item_notshown", "=", no)
      .where("item.item_thread_top", "=", no)
      .where(seen);
    if (uid > 0) below = withoutUnwanted(below, given.uid, "only blocked");
    // Only ids are put in order here: rows of a hundred columns would be copied for that.
    const place = sql<number>`row_number() over (partition by item.parent order by item.created desc, item.id desc)`;
    const ranked = below.select(["item.id", place.as("place")]).as("ranked");
    return selectItems(hub)
      .where("item.id", "in", (x) => x.selectFrom(ranked).select("ranked.id").where("place", "<=", given.count))
      .orderBy("item.created")
      .orderBy("item.id");
  });
}

/** Of each of these threads the newest comments that are looked at for those that the observer may see, and wants to. */
const newest = 50;

function newestBelow(hub: Hub, tops: RawBuilder<readonly number[]> | readonly number[]): RawBuilder<unknown> {
  const below = sql`item below where below.parent = asked.id and below.item_normal = 1 and below.item_notshown = 0
    and below.item_thread_top = 0`;
  const oldest = sql`select below.id from ${below} order by below.id desc limit 1 offset ${sql.lit(newest - 1)}`;
  // The limit, which is beyond all pages, keeps SQLite from asking for the oldest again with every row.
  const asked = sql`(select asked.id, coalesce((${oldest}), 0) as oldest from ${eachOf(hub.engine, tops)} as asked limit 100000)`;
  return sql`select below.id from ${asked} as asked cross join ${below} and below.id >= asked.oldest`;
}
