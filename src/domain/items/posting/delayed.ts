import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import { missing, refusal } from "../../../errors.ts";
import { inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { addJob } from "../../../jobs/queue.ts";
import { cutPage } from "../../../storage/key-page.ts";
import type { KeyWindow } from "../../../storage/key-page.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { lockThread, selectItems } from "../queries.ts";
import type { ItemQuery } from "../queries.ts";
import type { StreamCursor } from "../timelines/network-page.ts";
import { loadItem } from "../save.ts";
import type { Item } from "../types.ts";
import { publishWaiting } from "./schedule.ts";

/**
 * Posts that wait for their date (native contract 4.4): nobody but their author sees them. They are changed by `editItem` and
 * deleted by `deleteItem`, as others are.
 */

/** What the channel has waiting on its own wall, in the order in which it will be published. */
export async function listDelayed(
  hub: Hub,
  channel: Channel,
  { after, count }: { after?: StreamCursor | undefined; count: number },
): Promise<{ items: Item[]; next: StreamCursor | undefined }> {
  let query = waiting(hub, channel).orderBy("item.created").orderBy("item.id");
  if (after) query = query.where((x) => x(x.refTuple("item.created", "item.id"), ">", x.tuple(after.date, after.id)));
  const rows = await query.limit(count + 1).execute();
  const { page: items, next } = cutPage(rows, count, ({ created, id }) => ({ date: created, id }));
  return { items, next };
}

/** The same by their ids, the newest first. */
export async function pageOfDelayed(
  hub: Hub,
  channel: Channel,
  { count, after, before, sinceId }: KeyWindow,
): Promise<Item[]> {
  let query = waiting(hub, channel);
  if (after !== undefined) query = query.where("item.id", "<", after);
  const above = before ?? sinceId;
  if (above !== undefined) query = query.where("item.id", ">", above);
  const rows = await query
    .orderBy("item.id", before === undefined ? "desc" : "asc")
    .limit(count)
    .execute();
  return before === undefined ? rows : rows.toReversed();
}

/** One of them. Throws missing, also for what has been published meanwhile. */
export async function findDelayed(hub: Hub, channel: Channel, id: number): Promise<Item> {
  const item = await waiting(hub, channel).where("item.id", "=", id).executeTakeFirst();
  if (!item) throw missing("Item");
  return item;
}

/** Gives a waiting post another date, in the stored form. Throws missing, and invalid for a date that has come already. */
export async function delayTo(hub: Hub, channel: Channel, id: number, date: string): Promise<Item> {
  if (date <= now(hub)) throw refusal("delayed_to_the_past");
  return inTransaction(hub, async (hub) => {
    const item = await lockDelayed(hub, channel, id);
    await setDate(hub, item, date);
    await addJob(hub, "publish-item", { item: id }, { at: date });
    return loadItem(hub, id);
  });
}

/** Publishes a waiting post at once. Throws missing. */
export async function publishNow(hub: Hub, channel: Channel, id: number): Promise<Item> {
  return inTransaction(hub, async (hub) => {
    const item = await lockDelayed(hub, channel, id);
    await setDate(hub, item, now(hub));
    await publishWaiting(hub, id);
    return loadItem(hub, id);
  });
}

/** Its job may publish it at the same moment. */
async function lockDelayed(hub: Hub, channel: Channel, id: number): Promise<Item> {
  const item = await findDelayed(hub, channel, id);
  return (await lockThread(hub, item.message_id)) ? findDelayed(hub, channel, id) : item;
}

/** Nobody has read it, so what was changed in it until then is no edit. */
async function setDate(hub: Hub, { id, message_id }: Item, created: string): Promise<void> {
  await hub.db.updateTable("item").set({ created, commented: created }).where("id", "=", id).execute();
  await hub.db.updateTable("message").set({ created, edited: created }).where("id", "=", message_id).execute();
}

function waiting(hub: Hub, channel: Channel): ItemQuery {
  return selectItems(hub).where(isWaiting(channel));
}

/** A channel, or slots for it in a statement that serves all. */
type Whose = Record<"channel_id" | "xchan_id", number | RawBuilder<number>>;

/** The condition on `item` for what the channel has waiting. */
export function isWaiting({ channel_id, xchan_id }: Whose): RawBuilder<SqlBool> {
  return sql<SqlBool>`(item.uid = ${channel_id} and item.author_id = ${xchan_id} and item.item_delayed = 1
    and item.item_deleted = 0 and item.item_type = 0)`;
}
