import { refusal } from "../../../errors.ts";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { refreshWords } from "../../search/index-words.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { observerOf } from "../../identity/channels/observer.ts";
import { findOwnItem, findVisibleItem, reactionsBelow } from "../find.ts";
import type { ItemRef } from "../find.ts";
import { takeFromGroup } from "../group-posts.ts";
import { isCopyOf } from "../kept-text.ts";
import { lockThread, selectItems } from "../queries.ts";
import { loadTop } from "../save.ts";
import { tombstoneMessages, dropItems, dropThreads, threadMessages } from "../tombstones.ts";
import { touchAll } from "../thread-dates.ts";
import type { Item } from "../types.ts";
import { termTypes, verbUri } from "../vocabulary.ts";
import { versionsOf } from "../versions.ts";
import { withdrawFromForum } from "../withdrawn.ts";

/**
 * Deletes an item: for everybody when the channel wrote it or owns its thread (a top takes its thread along), else only
 * the channel's own copy. A forum takes out of a thread what is not its own alone. Answers the item as it was. Throws missing, denied.
 */
export async function deleteItem(hub: Hub, channel: Channel, ref: ItemRef): Promise<Item> {
  return inTransaction(hub, async (hub) => {
    const own = await findOwnItem(hub, channel.channel_id, ref);
    const item = own?.item_deleted === 0 ? own : await findVisibleItem(hub, observerOf(channel), ref);
    await (item.author_id === channel.xchan_id ? deleteForAll(hub, item) : deleteOfOthers(hub, channel, item));
    return item;
  });
}

async function deleteOfOthers(hub: Hub, channel: Channel, item: Item): Promise<void> {
  const top = await loadTop(hub, item);
  if (top.item_uplink === 1 && top.owner_id === channel.xchan_id) return takeFromForum(hub, item, top);
  if (item.owner_id === channel.xchan_id) return deleteForAll(hub, item);
  if (item.uid !== channel.channel_id) throw refusal("permission_denied");
  await deleteCopy(hub, item);
}

/** Deletes an item everywhere on this hub; the thread of a top goes with it. */
export async function deleteForAll(hub: Hub, item: Item): Promise<void> {
  if (item.item_thread_top === 1) {
    await lockThread(hub, item.message_id);
    const thread = await threadMessages(hub, await copiesOf(hub, item.message_id));
    await tombstoneMessages(hub, [...new Set([...thread, ...(await versionsOf(hub, item))])]);
    return;
  }
  const top = await hub.db.selectFrom("item").select("message_id").where("id", "=", item.parent).executeTakeFirst();
  if (top) await lockThread(hub, top.message_id);
  if (item.verb === verbUri("tag")) await dropBroughtTag(hub, item);
  await tombstoneMessages(hub, [item.message_id, ...(await reactionsTo(hub, item))]);
  if (top) await touchAll(hub, top.message_id);
}

/** The same for messages by their ids, those that are gone already left alone; part of a transaction. */
export async function deleteMessages(hub: Hub, messages: readonly number[]): Promise<void> {
  for (const message of messages) {
    const item = await selectItems(hub)
      .where("item.message_id", "=", message)
      .where("item.item_deleted", "=", 0)
      .orderBy("item.id")
      .limit(1)
      .executeTakeFirst();
    if (item) await deleteForAll(hub, item);
  }
}

/** A community tag goes with the item that brought it (community-tags.ts). */
async function dropBroughtTag(hub: Hub, item: Item): Promise<void> {
  const dropped = await hub.db
    .deleteFrom("term")
    .where("ttype", "=", termTypes.communityTag)
    .where("oid", "=", item.message_id)
    .where("message_id", "in", hub.db.selectFrom("item").select("message_id").where("id", "=", item.thr_parent_id))
    .returning("message_id")
    .execute();
  await refreshWords(
    hub,
    dropped.map((term) => term.message_id),
  );
}

/** Deletes an item as an administrator of the site: for everybody when it was written here, else every copy on this hub. */
export async function deleteAsAdministrator(hub: Hub, channel: Channel, ref: ItemRef): Promise<Item> {
  return inTransaction(hub, async (hub) => {
    const item = await findVisibleItem(hub, observerOf(channel), ref);
    const copies = await hub.db
      .selectFrom("item")
      .select(["id", "item_origin"])
      .where(await isCopyOf(hub, item.message_id))
      .execute();
    const ids = copies.map((copy) => copy.id);
    if (copies.some((copy) => copy.item_origin === 1)) await deleteForAll(hub, item);
    else await (item.item_thread_top === 1 ? dropThreads : dropItems)(hub, ids);
    return item;
  });
}

/**
 * A forum takes back what it re-delivered, or what was said below it. That goes from the forum and its members alone: whoever wrote it,
 * and those who have it in its author's thread, keep it (decision 176). An answer in what is for members alone stands nowhere else.
 */
async function takeFromForum(hub: Hub, item: Item, top: Item): Promise<void> {
  if (item.item_thread_top === 0 && top.item_private !== 0) return deleteForAll(hub, item);
  await takeFromGroup(hub, item);
  await withdrawFromForum(hub, item, top);
}

async function copiesOf(hub: Hub, messageId: number): Promise<number[]> {
  const copies = await hub.db
    .selectFrom("item")
    .select("id")
    .where(await isCopyOf(hub, messageId))
    .execute();
  return copies.map((copy) => copy.id);
}

async function reactionsTo(hub: Hub, item: Item): Promise<number[]> {
  const below = reactionsBelow(hub, await copiesOf(hub, item.message_id));
  const rows = await below.select("message_id").distinct().execute();
  return rows.map((row) => row.message_id);
}

/** Only what this channel has of it disappears. */
async function deleteCopy(hub: Hub, item: Item): Promise<void> {
  if (item.item_thread_top === 1) return dropThreads(hub, [item.id]);
  await dropItems(hub, [item.id]);
}
