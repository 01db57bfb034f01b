import { sql } from "kysely";
import { missing, refusal } from "../../../errors.ts";
import { inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { dropHeldNotice, dropNoticesAbout } from "../../notifications/drop.ts";
import { addDeed, addJob, senderLane } from "../../../jobs/queue.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findXchan } from "../../identity/xchans/xchans.ts";
import { deliverForum } from "../delivery/forum.ts";
import { findOwnItem, findVisibleItem, isInThreadOf } from "../find.ts";
import type { ItemRef } from "../find.ts";
import { observerOf } from "../../identity/channels/observer.ts";
import { selectItems, lockThread } from "../queries.ts";
import { loadItem, loadTop } from "../save.ts";
import { countStatus } from "../status-count.ts";
import { touchAll, touchThread } from "../thread-dates.ts";
import { dropThreads, tombstoneMessages } from "../tombstones.ts";
import type { Item } from "../types.ts";
import { blockedAs, reactionOf } from "../vocabulary.ts";
import { cutPage } from "../../../storage/key-page.ts";
import { answerHeld } from "./answers-elsewhere.ts";
import { anyCopy } from "../../live/event.ts";
import { emit } from "../../live/emit.ts";

/** What the owner of a thread keeps from everybody: comments that wait to be let in, and items taken off the wall. */
export type KeptBack = "held" | "byOwner";

/** Items that the channel keeps back for that reason, newest first; `before` is the last page's `next`. */
export async function keptBack(
  hub: Hub,
  channel: Channel,
  why: KeptBack,
  { before, count }: { before?: number | undefined; count: number },
): Promise<{ items: Item[]; next: number | undefined }> {
  let query = selectItems(hub)
    .where("item.uid", "=", channel.channel_id)
    .where("item.item_blocked", "=", blockedAs[why])
    .where("item.item_blocked", ">", sql.lit(0))
    .where("item.item_deleted", "=", 0)
    .where(isInThreadOf(channel.xchan_id));
  if (before !== undefined) query = query.where("item.id", "<", before);
  const rows = await query
    .orderBy("item.id", "desc")
    .limit(count + 1)
    .execute();
  const { page: items, next } = cutPage(rows, count, (row) => row.id);
  return { items, next };
}

/** Does this comment wait for the owner of the thread? */
export async function waits(hub: Hub, item: Pick<Item, "message_id">): Promise<boolean> {
  const row = await hub.db
    .selectFrom("item")
    .select("id")
    .where("message_id", "=", item.message_id)
    .where("item_blocked", "=", blockedAs.held)
    .executeTakeFirst();
  return row !== undefined;
}

/** Lets a comment in, or a post that a forum takes over: from now on it is there for everybody who sees the thread. Throws missing. */
export async function approveHeld(hub: Hub, owner: Channel, id: number): Promise<Item> {
  return inTransaction(hub, async (hub) => {
    const item = await findHeld(hub, owner, id);
    await hub.db
      .updateTable("item")
      .set({ item_blocked: 0, received: now(hub) })
      .where("id", "=", item.id)
      .execute();
    await emit(hub, { what: "item", message: item.message_id, from: item.id, to: item.id });
    if (item.item_thread_top === 1) {
      await settle(hub, owner);
      await deliverForum(hub, owner, item);
      return loadItem(hub, item.id);
    }
    const top = await loadItem(hub, item.parent);
    await touchThread(hub, top.message_id, [owner.channel_id], item);
    const shown = await loadItem(hub, item.id);
    await countStatus(hub, shown, 1);
    await settle(hub, owner);
    const job = { owner: owner.channel_id, message: item.message_id };
    await addJob(hub, "deliver-answer", job, { lane: senderLane(owner.channel_id) });
    await addDeed(hub, owner.channel_id, { deed: "say", message: item.message_id });
    await answerWaiting(hub, owner, item, true);
    return shown;
  });
}

/** Refuses a comment: it is gone, for its author too, who hears of it elsewhere. A post to a forum stays where else it is. Throws missing. */
export async function dropHeld(hub: Hub, owner: Channel, id: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const item = await findHeld(hub, owner, id);
    if (item.item_thread_top === 1) await dropThreads(hub, [item.id]);
    else {
      await answerWaiting(hub, owner, item, false);
      await tombstoneMessages(hub, [item.message_id]);
    }
    await settle(hub, owner);
  });
}

/** Its author hears of it; of the reactions only that of somebody who joins an event waits. Part of a transaction. */
function answerWaiting(hub: Hub, owner: Channel, item: Item, accepted: boolean): Promise<void> {
  return (reactionOf(item.verb) === undefined ? answerHeld : joinHeld)(hub, owner, item, accepted);
}

async function joinHeld(hub: Hub, { channel_id }: Channel, item: Item, accepted: boolean): Promise<void> {
  const [author, event] = [await findXchan(hub, { id: item.author_id }), await loadItem(hub, item.thr_parent_id)];
  if (!author) return;
  const { xchan_hash: person } = author;
  await addDeed(hub, channel_id, { deed: "joined", join: item.mid, person, event: event.uuid, accepted });
}

async function findHeld(hub: Hub, owner: Channel, id: number): Promise<Item> {
  let item = await findOwnItem(hub, owner.channel_id, { id });
  if (item && (await lockThread(hub, item.message_id))) item = await findOwnItem(hub, owner.channel_id, { id });
  if (!item || item.item_blocked !== blockedAs.held || item.item_deleted === 1) throw missing("Item");
  return item;
}

/** The notice about comments that wait goes with the last of them. */
async function settle(hub: Hub, owner: Channel): Promise<void> {
  const { items } = await keptBack(hub, owner, "held", { count: 1 });
  if (items.length === 0) await dropHeldNotice(hub, owner.channel_id);
}

/**
 * Takes an item of the channel's own thread off the wall, for everybody; a top takes its thread along. Throws missing,
 * and denied for the threads of others.
 */
export async function blockItem(hub: Hub, owner: Channel, ref: ItemRef): Promise<Item> {
  return inTransaction(hub, async (hub) => {
    const item = await findVisibleItem(hub, observerOf(owner), ref);
    const top = await loadTop(hub, item);
    if (item.uid !== owner.channel_id || top.owner_id !== owner.xchan_id) throw refusal("permission_denied");
    await mark(hub, item, 0, blockedAs.byOwner);
    return loadItem(hub, item.id);
  });
}

/** Puts an item back that the channel has taken off its wall. Throws missing. */
export async function unblockItem(hub: Hub, owner: Channel, id: number): Promise<Item> {
  return inTransaction(hub, async (hub) => {
    const item = await findOwnItem(hub, owner.channel_id, { id });
    if (!item || item.item_blocked !== blockedAs.byOwner || item.item_deleted === 1) throw missing("Item");
    await mark(hub, item, blockedAs.byOwner, 0);
    return loadItem(hub, item.id);
  });
}

/** Changes the mark on every copy of the owner's thread that has the first one; who counts statuses learns of it. */
async function mark(hub: Hub, item: Item, from: number, to: number): Promise<void> {
  const top = await loadTop(hub, item);
  await lockThread(hub, top.message_id);
  const copies = hub.db
    .selectFrom("item")
    .select("item.id")
    .where("item.message_id", "=", item.message_id)
    .where(isInThreadOf(top.owner_id));
  const column = item.item_thread_top === 1 ? "parent" : "id";
  const changed = await hub.db
    .updateTable("item")
    .set({ item_blocked: to, changed: now(hub) })
    .where(column, "in", copies)
    .where("item_blocked", "=", from)
    .where("item_deleted", "=", 0)
    .returningAll()
    .execute();
  const counted = new Map(changed.filter((row) => row.item_origin === 1).map((row) => [row.message_id, row]));
  for (const row of [...counted.values()].toSorted((one, other) => one.author_id - other.author_id))
    await countStatus(hub, row, to === 0 ? 1 : -1);
  const shown = to === 0;
  for (const message of new Set(changed.map((row) => row.message_id)))
    await emit(hub, shown ? { what: "item", message, ...anyCopy } : { what: "gone", message });
  if (!shown)
    await dropNoticesAbout(
      hub,
      changed.map((row) => row.id),
    );
  if (item.item_thread_top === 0) await touchAll(hub, top.message_id);
}
