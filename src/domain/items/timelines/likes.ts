import { sql } from "kysely";
import type { Hub } from "../../../hub.ts";
import { keyPage } from "../../../storage/key-page.ts";
import type { KeyPage, KeyWindow } from "../../../storage/key-page.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { isNobody, observerOf } from "../../identity/channels/observer.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import type { StatusItem } from "../columns.ts";
import { no, selectItems, withoutUnwanted, yes } from "../queries.ts";
import type { Item } from "../types.ts";
import { verbUri } from "../vocabulary.ts";
import { findStatuses } from "./find-statuses.ts";

/** Who likes an item that the observer sees, by the ids of their likes, without those whom the observer has blocked. */
export async function likersOf(
  hub: Hub,
  observer: Observer,
  { id }: Pick<Item, "id">,
  window: KeyWindow,
): Promise<{ page: KeyPage; authors: Map<number, number> }> {
  const likes = selectItems(hub)
    .clearSelect()
    .select("item.id as key")
    .where("item.thr_parent_id", "=", id)
    .where("item.item_normal", "=", yes)
    .where("item.item_notshown", "=", yes)
    .where("message.verb", "=", sql.lit(verbUri("like")));
  const shown = isNobody(observer) ? likes : withoutUnwanted(likes, observer.channelId, "only blocked");
  const page = await keyPage(hub, shown, window);
  return { page, authors: await authorsOf(hub, "item", page.keys) };
}

/** What the channel likes, by the ids of its likes, the newest first; `keys` are the ids of all that were found, seen any more or not. */
export async function likedStatuses(
  hub: Hub,
  channel: Channel,
  { count, after, before, sinceId }: KeyWindow,
): Promise<{ statuses: StatusItem[]; keys: number[] }> {
  let likes = hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select(["item.id as key", "item.thr_parent_id as liked"])
    .where("item.uid", "=", channel.channel_id)
    .where("item.author_id", "=", channel.xchan_id)
    .where("item.item_normal", "=", yes)
    .where("item.item_notshown", "=", yes)
    .where("item.item_thread_top", "=", no)
    .where("message.verb", "=", sql.lit(verbUri("like")))
    .orderBy("item.id", before === undefined ? "desc" : "asc")
    .limit(count);
  if (after !== undefined) likes = likes.where("item.id", "<", after);
  const above = before ?? sinceId;
  if (above !== undefined) likes = likes.where("item.id", ">", above);
  const rows = (await likes.execute()).toSorted((one, other) => other.key - one.key);
  const statuses = await findStatuses(
    hub,
    observerOf(channel),
    rows.map(({ liked }) => liked),
  );
  return { statuses, keys: rows.map(({ key }) => key) };
}

/** Who wrote these items or messages, by their ids. */
export async function authorsOf(
  hub: Hub,
  table: "item" | "message",
  ids: readonly number[],
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await hub.db
    .selectFrom(table)
    .select(["id", "author_id"])
    .where(isOneOf(hub.engine, sql.ref("id"), ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row.author_id]));
}
