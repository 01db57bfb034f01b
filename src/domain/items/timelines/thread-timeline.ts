import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { bigLimit } from "../../../storage/sql.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { visibleToChannel } from "../../permissions/visible.ts";
import { selectStatuses, withoutUnwanted } from "../queries.ts";
import { all, bounds, shown } from "./timeline-sources.ts";
import { authorAsked } from "./timelines.ts";
import type { TimelineQuery } from "./timelines.ts";
import type { StatusItem } from "../columns.ts";
import type { Item } from "../types.ts";

/** Direct answers to an item, as the copy's holder has them. */
export async function directAnswers(
  hub: Hub,
  channel: Channel,
  item: Pick<Item, "id" | "parent">,
  query: TimelineQuery,
): Promise<StatusItem[]> {
  return around(hub, channel, "answers", item.id, query, "thr_parent_id");
}

/** The whole thread of an item, its top included, as the copy's holder has it. */
export async function wholeThread(
  hub: Hub,
  channel: Channel,
  item: Pick<Item, "id" | "parent">,
  query: TimelineQuery,
): Promise<StatusItem[]> {
  return around(hub, channel, "thread", item.parent, query, "parent");
}

/** So many more are looked at than a page holds, because of those whom the channel has blocked. */
const spare = 200;

/** A page of what answers one item in its thread; of the whole thread its top is part. */
async function around(
  hub: Hub,
  channel: Channel,
  name: string,
  of: number,
  query: TimelineQuery,
  below: "parent" | "thr_parent_id",
): Promise<StatusItem[]> {
  const author = await authorAsked(hub, channel, query, undefined);
  if (author === "nobody") return [];
  const skip = (query.page - 1) * query.count;
  const values = {
    of,
    author,
    uid: channel.channel_id,
    hash: channel.channel_hash,
    sinceId: query.sinceId || undefined,
    maxId: query.maxId || undefined,
    count: query.count,
    skip,
    most: spare + query.count + skip,
  };
  return compiled(hub, name, values, (slots) => {
    const conditions = [shown, ...bounds(slots)];
    if (slots.author) conditions.push(sql<SqlBool>`item.author_id = ${slots.author}`);
    const most = bigLimit(hub.engine, slots.most);
    const newest = sql`select item.id from item where ${sql.ref(`item.${below}`)} = ${slots.of} and item.item_thread_top = 0
      and ${all(conditions)} order by item.id desc limit ${most}`;
    const top = below === "parent" ? sql` union all select 0 + ${slots.of}` : sql``;
    const rows = selectStatuses(hub)
      .where(sql<SqlBool>`item.id in (select id from (${newest}) as newest${top})`)
      .where(all([...conditions, visibleToChannel(hub, { hash: slots.hash, channelId: slots.uid })]));
    return withoutUnwanted(rows, slots.uid, "only blocked")
      .orderBy("item.id", "desc")
      .limit(slots.count)
      .offset(slots.skip);
  });
}
