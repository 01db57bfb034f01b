import { HubError } from "../../errors.ts";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channel.ts";
import { observerOf } from "../identity/channel.ts";
import { findOwnItem, findVisibleItem } from "./find.ts";
import type { ItemRef } from "./find.ts";
import { buryMessages, threadMessages } from "./tombstones.ts";
import { touchThread } from "./thread-dates.ts";
import type { Item } from "./types.ts";

/**
 * Deletes an item as native contract 4.5 says: for everybody when the channel wrote it or owns its thread (a top
 * takes its thread along), else only the channel's own copy. Answers the item as it was. Throws missing, denied.
 */
export async function deleteItem(hub: Hub, channel: Channel, ref: ItemRef): Promise<Item> {
  return inTransaction(hub, async (hub) => {
    const own = await findOwnItem(hub, channel.channel_id, ref);
    const item = own?.item_deleted === 0 ? own : await findVisibleItem(hub, observerOf(channel), ref);
    if (item.author_id === channel.xchan_id || item.owner_id === channel.xchan_id) await deleteForAll(hub, item);
    else if (item.uid === channel.channel_id) await deleteCopy(hub, item);
    else throw new HubError("denied", "permission denied");
    return item;
  });
}

/** Deletes an item everywhere on this hub; the thread of a top goes with it. */
export async function deleteForAll(hub: Hub, item: Item): Promise<void> {
  if (item.item_thread_top === 1) {
    const copies = await hub.db.selectFrom("item").select("id").where("message_id", "=", item.message_id).execute();
    await buryMessages(hub, await threadMessages(hub, copies.map((copy) => copy.id)));
    return;
  }
  const top = await hub.db.selectFrom("item").select("message_id").where("id", "=", item.parent).executeTakeFirst();
  const holders = await hub.db.selectFrom("item").select("uid").where("message_id", "=", item.message_id).execute();
  await buryMessages(hub, [item.message_id, ...(await answersTo(hub, item))]);
  if (top) await touchThread(hub, top.message_id, holders.map((holder) => holder.uid));
}

/** Reactions to a deleted comment have nothing left to say. */
async function answersTo(hub: Hub, item: Item): Promise<number[]> {
  const rows = await hub.db
    .selectFrom("item")
    .select("message_id")
    .distinct()
    .where("thr_parent_id", "=", item.id)
    .where("item_notshown", "=", 1)
    .execute();
  return rows.map((row) => row.message_id);
}

/** Only what this channel has of it disappears. */
async function deleteCopy(hub: Hub, item: Item): Promise<void> {
  await hub.db
    .updateTable("item")
    .set({ item_deleted: 1, item_unseen: 0, item_starred: 0, changed: now(hub) })
    .where("uid", "=", item.uid)
    .where((x) => x.or([x("id", "=", item.id), x("parent", "=", item.id)]))
    .execute();
}
