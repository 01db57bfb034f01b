import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { HubError } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import type { Channel, Observer } from "../identity/channel.ts";
import { visibleTo } from "../permissions/visible.ts";
import { assemblePage } from "./assemble.ts";
import { findOwnItem, findVisibleItem } from "./find.ts";
import type { ItemRef } from "./find.ts";
import { no, selectItems, withoutUnwanted, yes } from "./queries.ts";
import { termKey } from "./save.ts";
import type { Item, ItemPage } from "./types.ts";
import { termTypes } from "./vocabulary.ts";

/**
 * Everything about the thread of one of the channel's items, whatever its state (native contract 6.16): the top
 * first, then the others by date. Throws missing.
 */
export async function fullThread(hub: Hub, channel: Channel, ref: ItemRef): Promise<ItemPage> {
  const item = await findOwnItem(hub, channel.channel_id, ref);
  if (!item) throw new HubError("missing", "Item not found.");
  const items = await selectItems(hub)
    .where("item.parent", "=", item.parent)
    .orderBy("item.item_thread_top", "desc")
    .orderBy("item.created")
    .orderBy("item.id")
    .execute();
  return assemblePage(hub, items, channel.channel_id);
}

/** A thread as its page shows it to the observer, by the copy that the observer may see. Throws missing. */
export async function visibleThread(hub: Hub, observer: Observer, ref: ItemRef): Promise<Item[]> {
  const item = await findVisibleItem(hub, observer, ref);
  const thread = selectItems(hub)
    .where("item.parent", "=", item.parent)
    .where("item.item_normal", "=", yes)
    .where("item.item_notshown", "=", no)
    .where(await visibleTo(hub, observer));
  return (observer && observer.channelId > 0 ? withoutUnwanted(thread, observer.channelId, "only blocked") : thread)
    .orderBy("item.item_thread_top", "desc")
    .orderBy("item.created")
    .orderBy("item.id")
    .execute();
}

/** What a channel page may be narrowed to (native contract 8.1); dates in the stored form. */
export type WallFilter = { category?: string; tag?: string; since?: string; until?: string };

export type WallPage = { items: Item[]; next: number | undefined };

/** Threads on a channel's wall that the observer may see, newest first; `before` is the last page's `next`. */
export async function wall(
  hub: Hub,
  observer: Observer,
  channel: Pick<Channel, "channel_id">,
  query: WallFilter & { before?: number; count: number },
): Promise<WallPage> {
  let q = selectItems(hub)
    .where("item.uid", "=", channel.channel_id)
    .where("item.item_wall", "=", yes)
    .where("item.item_thread_top", "=", yes)
    .where("item.item_normal", "=", yes)
    .where(await visibleTo(hub, observer));
  if (query.before !== undefined) q = q.where("item.id", "<", query.before);
  if (query.since !== undefined) q = q.where("item.created", ">=", query.since);
  if (query.until !== undefined) q = q.where("item.created", "<=", query.until);
  if (query.category) q = q.where(labelled(termTypes.category, query.category));
  if (query.tag) q = q.where(labelled(termTypes.hashtag, query.tag));
  const items = await q
    .orderBy("item.id", "desc")
    .limit(query.count + 1)
    .execute();
  const shown = items.slice(0, query.count);
  return { items: shown, next: items.length > query.count ? shown.at(-1)!.id : undefined };
}

function labelled(type: number, term: string) {
  return sql<SqlBool>`exists (select 1 from term t where t.message_id = item.message_id and t.uid = 0
    and t.ttype = ${sql.lit(type)} and t.term_key = ${termKey(term)})`;
}
