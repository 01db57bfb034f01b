import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { sql } from "kysely";
import type { Channel } from "../../identity/channels/channel.ts";
import { assemblePage } from "../assemble.ts";
import { filterThreads, restrictKind } from "./stream-filters.ts";
import { no, selectForStreams, withoutUnwanted, yes } from "../queries.ts";
import type { StreamItem } from "../columns.ts";
import type { Item, ItemPage, StreamQuery } from "../types.ts";

/**
 * The channel's incoming and own conversations. Threads newest first, each top followed by its other items, oldest
 * first; single items with `nouveau`. Throws missing for an unknown group or connection.
 */
export async function networkStream(hub: Hub, channel: Channel, query: StreamQuery): Promise<ItemPage<StreamItem>> {
  const items = query.nouveau ? await singleItems(hub, channel, query) : await threads(hub, channel, query);
  const page = await assemblePage(hub, items, channel.channel_id);
  if (query.markSeen) await markSeen(hub, channel, items);
  return page;
}

async function threads(hub: Hub, channel: Channel, query: StreamQuery): Promise<StreamItem[]> {
  const by = query.order === "post" ? "item.created" : "item.commented";
  const filtered = await filterThreads(
    hub,
    channel,
    query,
    selectForStreams(hub).where("item.item_thread_top", "=", yes),
  );
  if (!filtered) return [];
  const tops = await withoutUnwanted(filtered, channel.channel_id, "only blocked")
    .orderBy(by, "desc")
    .orderBy("item.id", "desc")
    .limit(query.records)
    .offset(query.start)
    .execute();
  if (query.top) return tops;
  return inOrder(tops, await members(hub, channel, query, tops), query.sinceId);
}

/** The items below these tops, oldest first; a fixed number of queries for any number of threads. */
async function members(hub: Hub, channel: Channel, query: StreamQuery, tops: StreamItem[]): Promise<StreamItem[]> {
  if (tops.length === 0) return [];
  const parents = tops.map((top) => top.id);
  const kind = `${query.pages} ${query.itemType} ${query.includeFollow}`;
  return compiled(hub, `members of threads, ${kind}`, { parents, uid: channel.channel_id }, (slots) => {
    const below = selectForStreams(hub)
      .where(isOneOf(hub.engine, sql.ref("item.parent"), slots.parents))
      .where("item.item_thread_top", "=", no);
    return withoutUnwanted(restrictKind(below, query, true), slots.uid, "only blocked")
      .orderBy("item.created")
      .orderBy("item.id");
  });
}

/** Each top with what is below it; with a lower bound of ids only what is newer. */
function inOrder(tops: StreamItem[], below: StreamItem[], sinceId = 0): StreamItem[] {
  const threads = new Map(tops.map((top) => [top.id, [top]]));
  for (const item of below) threads.get(item.parent)?.push(item);
  const all = [...threads.values()].flat();
  return sinceId > 0 ? all.filter((item) => item.id > sinceId) : all;
}

async function singleItems(hub: Hub, channel: Channel, query: StreamQuery): Promise<StreamItem[]> {
  const filtered = await filterThreads(hub, channel, query, selectForStreams(hub));
  if (!filtered) return [];
  return withoutUnwanted(filtered, channel.channel_id, "only blocked")
    .orderBy("item.received", "desc")
    .orderBy("item.id", "desc")
    .limit(query.records)
    .offset(query.start)
    .execute();
}

export type WallQuery = { mindate: string; start: number; records: number };

/** The channel's wall as conversations, oldest first, for the channel itself. */
export async function channelStream(hub: Hub, channel: Channel, query: WallQuery): Promise<ItemPage<StreamItem>> {
  const tops = await selectForStreams(hub)
    .where("item.uid", "=", channel.channel_id)
    .where("item.item_normal", "=", yes)
    .where("item.item_thread_top", "=", yes)
    .where("item.item_wall", "=", yes)
    .where((x) => x.or([x("item.changed", ">", query.mindate), x("item.created", ">", query.mindate)]))
    .where(sql<boolean>`(',' || item.postopts || ',') not like '%,nodeliver,%'`)
    .orderBy("item.created")
    .orderBy("item.id")
    .limit(query.records)
    .offset(query.start)
    .execute();
  const below = await selectForStreams(hub)
    .where(
      isOneOf(
        hub.engine,
        sql.ref("item.parent"),
        tops.map((top) => top.id),
      ),
    )
    .where("item.item_normal", "=", yes)
    .where("item.item_thread_top", "=", no)
    .orderBy("item.created")
    .orderBy("item.id")
    .execute();
  return assemblePage(hub, inOrder(tops, below), channel.channel_id);
}

/** Clears the unseen mark of the channel's own copies among these items. */
export async function markSeen(
  hub: Hub,
  channel: Channel,
  items: Pick<Item, "id" | "uid" | "item_unseen">[],
): Promise<void> {
  const unseen = items
    .filter((item) => item.uid === channel.channel_id && item.item_unseen === 1)
    .map((item) => item.id);
  if (unseen.length === 0) return;
  await inTransaction(hub, async (hub) => {
    await hub.db
      .updateTable("item")
      .set({ item_unseen: 0 })
      .where(isOneOf(hub.engine, sql.ref("id"), unseen))
      .execute();
  });
}
