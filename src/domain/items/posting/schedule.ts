import { inTransaction, momentIn, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { addJob } from "../../../jobs/queue.ts";
import { zeroDate } from "../../../storage/sql.ts";
import { stillActs } from "../../identity/accounts/still-acts.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findChannelById } from "../../identity/channels/channels.ts";
import { deleteForAll } from "./delete.ts";
import { publish } from "./post.ts";
import { reachOf } from "../delivery/recipients.ts";
import { selectItems, lockThread } from "../queries.ts";
import { loadItem } from "../save.ts";
import { countStatus } from "../status-count.ts";
import { emit } from "../../live/emit.ts";
import type { Item } from "../types.ts";

/** For so long what was due while its account was locked out goes out by itself, and how often that is tried (milliseconds). */
const [late, again] = [24 * 3600 * 1000, 15 * 60 * 1000];

/**
 * Publishes a delayed item whose time has come; one that got a later date has a job of its own for that, and one of a channel that has
 * moved is published at its new place. What was due while its account was locked out is tried for a day, in case it is let in again;
 * after that it waits for a word of its author. May run twice.
 */
export async function publishItem(hub: Hub, id: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const waiting = selectItems(hub).where("item.id", "=", id);
    let item = await waiting.executeTakeFirst();
    if (item && (await lockThread(hub, item.message_id))) item = await waiting.executeTakeFirst();
    if (!item || item.item_delayed === 0 || item.item_deleted === 1 || item.created > now(hub)) return;
    const wall = await findChannelById(hub, item.uid);
    if (!wall || wall.channel_moved !== "") return;
    if (await stillActs(hub, wall)) return publishWaiting(hub, id);
    if (item.created > momentIn(hub, -late))
      await addJob(hub, "publish-item", { item: id }, { at: momentIn(hub, again) });
  });
}

/** Did a post of this channel that waits miss its date, so that nothing will happen to it by itself? */
export function hasMissedItsDate(
  hub: Hub,
  { channel_moved }: Pick<Channel, "channel_moved">,
  { created }: Pick<Item, "created">,
): boolean {
  return channel_moved === "" && created <= momentIn(hub, -late);
}

/** Publishes a delayed item with the date that it has. Inside a transaction that has locked its thread. */
export async function publishWaiting(hub: Hub, id: number): Promise<void> {
  const { created } = await loadItem(hub, id);
  await hub.db
    .updateTable("item")
    .set({ item_delayed: 0, received: created, changed: created, commented: created })
    .where("id", "=", id)
    .execute();
  const published = await loadItem(hub, id);
  await emit(hub, { what: "item", message: published.message_id, from: id, to: id });
  await countStatus(hub, published, 1);
  const wall = await findChannelById(hub, published.uid);
  if (wall) await publish(hub, wall, published, await reachOf(hub, published));
}

/** Deletes a message that has expired; a later date, set by an edit, has a job of its own. May run twice. */
export async function expireItem(hub: Hub, messageId: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const item = await selectItems(hub)
      .where("item.message_id", "=", messageId)
      .where("item.item_deleted", "=", 0)
      .orderBy("item.item_wall", "desc")
      .executeTakeFirst();
    if (!item || item.expires === zeroDate || item.expires > now(hub)) return;
    await deleteForAll(hub, item);
  });
}
