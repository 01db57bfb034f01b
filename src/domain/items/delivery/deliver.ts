import { hasPostListeners } from "../../connections/follow-choices.ts";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findChannelById } from "../../identity/channels/channels.ts";
import { isWhispered } from "../audience.ts";
import { ownCopyOf } from "../find.ts";
import { handOut } from "./answers.ts";
import { batch, inBatches, together } from "./batches.ts";
import { offerToForumsHere } from "./forum.ts";
import { answersOf, fanOutAnswer, fanOutTop, markMentioned, mentionsOf } from "./fan-out.ts";
import { mentionedStrangers } from "./mentioned-strangers.ts";
import { notifyMentions, notifyReaders } from "./notices.ts";
import { localRecipients, threadReaders } from "./recipients.ts";
import type { Mentioned, Recipient } from "./recipients.ts";
import { tagFollowersOf } from "./tag-followers.ts";
import { takersOfShared } from "./takers.ts";
import { writtenTo } from "./written-to.ts";
import { selectItems, lockThread, yes } from "../queries.ts";
import type { Item } from "../types.ts";

/**
 * Gives the local audience of a top item their copies, with the answers that it has by then. May run twice.
 * Forums that take the post over come first: a plain copy there would be in their way.
 */
export async function deliverItem(hub: Hub, itemId: number): Promise<void> {
  const item = await normalItem(hub, itemId);
  const sender = item && (await findChannelById(hub, item.uid));
  if (!item || !sender) return;
  const mentioned = await mentionsOf(hub, item);
  await offerToForumsHere(hub, item, mentioned);
  await deliverThread(hub, item, await recipientsOf(hub, sender, item, mentioned), mentioned);
}

/**
 * Gives these channels a thread as this copy of its top has it, with the answers that are there; with `ownerId` as one of somebody
 * else. May run twice.
 */
export async function deliverThread(
  hub: Hub,
  item: Item,
  all: readonly Recipient[],
  mentioned: readonly Recipient[],
  ownerId = item.owner_id,
): Promise<void> {
  for (const readers of inBatches(all, together))
    await inTransaction(hub, (hub) => deliverBatch(hub, item, readers, mentioned, ownerId));
}

/** Connections, those who follow a tag of it, and those whom it mentions or is written to, as far as they want what it shares. */
async function recipientsOf(
  hub: Hub,
  sender: Channel,
  item: Item,
  mentioned: readonly Mentioned[],
): Promise<readonly Recipient[]> {
  const connected = await localRecipients(hub, sender, item);
  const others = [
    ...(await tagFollowersOf(hub, item)),
    ...(await mentionedStrangers(hub, item, mentioned, item.uid)),
    ...(await writtenTo(hub, sender, item)),
  ];
  const all = new Map([...connected, ...others].map((reader) => [reader.channel_id, reader]));
  return takersOfShared(hub, item, [...all.values()]);
}

async function deliverBatch(
  hub: Hub,
  { id, message_id }: Item,
  readers: readonly Recipient[],
  mentioned: readonly Recipient[],
  owner_id: number,
): Promise<void> {
  await lockThread(hub, message_id);
  // It may have been deleted or changed since the last batch.
  const current = await normalItem(hub, id);
  if (!current) return;
  const item = { ...current, owner_id };
  const answers = (await answersOf(hub, current)).map((answer) => ({ ...answer, owner_id }));
  const isAwaited = await hasPostListeners(hub, item.author_id);
  for (const group of inBatches(readers, batch)) {
    const copies = await fanOutTop(hub, item, group, mentioned);
    if (copies.size === 0) continue;
    // A new thread that names nobody concerns those who have written in it, and those who want to hear of it.
    const concernsSome =
      isAwaited ||
      mentioned.length > 0 ||
      answers.length > 0 ||
      group.some(({ xchan_id }) => xchan_id === item.author_id);
    if (concernsSome) await notifyReaders(hub, group, copies, item);
    const fresh = group.filter((reader) => copies.has(reader.channel_id));
    for (const answer of answers)
      await notifyReaders(
        hub,
        fresh,
        await fanOutAnswer(hub, answer, item, fresh, await mentionsOf(hub, answer)),
        answer,
      );
  }
}

/**
 * Passes an answer on to everybody else here who has the thread, and to those whom it mentions where that is public, by the copy of the
 * channel `keeperId`: the owner of the thread, or where that is somebody of elsewhere, the answer's author (decision 171). With `among`
 * only those channels get it. May run twice.
 */
export async function deliverAnswer(
  hub: Hub,
  keeperId: number,
  messageId: number,
  among?: ReadonlySet<number>,
): Promise<void> {
  const keeper = await findChannelById(hub, keeperId);
  const answer = await ownCopyOf(hub, keeperId, messageId);
  const top = answer && (await normalItem(hub, answer.parent));
  if (!keeper || !top || isWhispered(answer, keeper)) return;
  const mentioned = await mentionsOf(hub, answer);
  const having = (await threadReaders(hub, keeper, top)).filter((one) => among?.has(one.channel_id) ?? true);
  const there = new Set([keeperId, ...having.map(({ channel_id }) => channel_id)]);
  const wall = top.owner_id === keeper.xchan_id ? keeperId : undefined;
  const strangers = await mentionedStrangers(hub, answer, mentioned, wall);
  const newcomers = strangers.filter(({ channel_id }) => !there.has(channel_id));
  await handOut(hub, having, newcomers, async (hub) => {
    await lockThread(hub, top.message_id);
    const current = await ownCopyOf(hub, keeperId, messageId);
    const thread = current && (await normalItem(hub, top.id));
    return thread && { answer: current, top: thread, mentioned };
  });
}

/**
 * Tells people of this hub whom an edit mentions now and who have the item; forums that are named take a post over as they
 * do a new one. May run twice.
 */
export async function deliverMentions(hub: Hub, itemId: number): Promise<void> {
  const item = await normalItem(hub, itemId);
  if (!item) return;
  const mentioned = (await mentionsOf(hub, item)).filter((channel) => channel.xchan_id !== item.author_id);
  if (item.item_thread_top === 1) await offerToForumsHere(hub, item, mentioned);
  await inTransaction(hub, async (hub) => {
    await lockThread(hub, item.message_id);
    await notifyMentions(hub, mentioned, await markMentioned(hub, item, mentioned));
  });
}

async function normalItem(hub: Hub, id: number): Promise<Item | undefined> {
  return selectItems(hub).where("item.id", "=", id).where("item.item_normal", "=", yes).executeTakeFirst();
}
