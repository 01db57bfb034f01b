import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { addDeed, addJob, senderLane } from "../../../jobs/queue.ts";
import { findChannelByHash, findChannelById } from "../../identity/channels/channels.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import { may } from "../../permissions/may.ts";
import { defaultAudience, scopeOf, scopeWord } from "../audience.ts";
import type { Scope } from "../audience.ts";
import { commentPoliciesOf } from "../comment-policy.ts";
import { fanOutAnswers } from "./fan-out.ts";
import { giveToGroup, onlyReaderOf } from "../group-posts.ts";
import { isForum } from "./in-forum.ts";
import type { Mentioned } from "./recipients.ts";
import { postSettingsOf } from "../post-settings.ts";
import { notifyAnswer, notifyHeld } from "./notices.ts";
import { selectItems, lockThread, yes } from "../queries.ts";
import { saveItem } from "../save.ts";
import { blockedAs } from "../vocabulary.ts";
import type { Item, ItemRow } from "../types.ts";
import { observerElsewhere } from "../../identity/channels/observer.ts";
import { findXchan } from "../../identity/xchans/xchans.ts";

/**
 * Offers a post to forums of this hub: what everybody may see to those that it mentions, what is for a forum and nobody else to that one.
 * Other private posts keep their audience, and messages stay messages.
 */
export async function offerToForumsHere(hub: Hub, item: Item, mentioned: readonly Mentioned[]): Promise<void> {
  if (item.item_private === 0) {
    for (const { channel_id, forum } of mentioned) if (forum === 1) await acceptAsForum(hub, channel_id, item);
    return;
  }
  const hash = item.item_direct === 0 ? onlyReaderOf(item) : undefined;
  const only = hash === undefined ? undefined : await findChannelByHash(hub, hash);
  if (only && (await isForum(hub, only.xchan_id))) await acceptAsForum(hub, only.channel_id, item);
}

/**
 * A forum becomes the owner of its copy of a post whose author may post there, and delivers it to its members (native contract 4.7
 * point 7). What is for the forum alone is its thread to the author as well (decision 193).
 */
async function acceptAsForum(hub: Hub, forumId: number, item: Item): Promise<void> {
  const author = await findXchan(hub, { id: item.author_id });
  const forum = await findChannelById(hub, forumId);
  if (!author || !forum || item.uid === forum.channel_id || item.item_uplink === 1) return;
  const observer = { ...observerElsewhere(author), channelId: item.uid };
  const isPublic = item.item_private === 0;
  if (!(await mayPostTo(hub, observer, forum, isPublic))) return;
  await inTransaction(hub, async (hub) => {
    await lockThread(hub, item.message_id);
    const current = await selectItems(hub)
      .where("item.id", "=", item.id)
      .where("item.item_normal", "=", yes)
      .executeTakeFirst();
    if (!current) return;
    const own = await takeOver(hub, forum, observer, { ...item, source_id: item.owner_id });
    if (!own) return;
    await fanOutAnswers(hub, current, [forum]);
    if (!isPublic) await giveToGroup(hub, current, forum.xchan_id);
    await passOn(hub, forum, own);
  });
}

/** What is for the members of a forum alone is a post on its wall; nothing becomes wider than its author meant it. */
export async function mayPostTo(hub: Hub, author: Observer, forum: Channel, isPublic: boolean): Promise<boolean> {
  if (isPublic) return may(hub, author, "tag_deliver", forum.channel_id);
  const { item_private } = await scopeOfForum(hub, forum);
  return item_private !== 0 && (await may(hub, author, "post_wall", forum.channel_id));
}

/** Whom a forum delivers its threads to, whoever began them. */
export async function scopeOfForum(hub: Hub, forum: Channel): Promise<Scope> {
  const limits = await postSettingsOf(hub, forum.channel_id);
  const [view, comment] = [scopeWord(hub, limits.view_stream), scopeWord(hub, limits.post_comments)];
  return scopeOf(defaultAudience(forum), view, comment);
}

/** A forum becomes the owner of its copy of a message; undefined where it has one. Part of a transaction. */
export async function takeOver(
  hub: Hub,
  forum: Channel,
  author: Observer,
  message: Pick<ItemRow, "message_id" | "author_id" | "source_id" | "created" | "postopts">,
): Promise<ItemRow | undefined> {
  const policy = (await commentPoliciesOf(hub, [forum.channel_id], author)).get(forum.channel_id);
  return saveItem(hub, {
    ...(await scopeOfForum(hub, forum)),
    uid: forum.channel_id,
    aid: forum.channel_account_id,
    message_id: message.message_id,
    author_id: message.author_id,
    owner_id: forum.xchan_id,
    source_id: message.source_id,
    created: message.created,
    postopts: message.postopts,
    item_wall: 1,
    item_uplink: 1,
    item_unseen: 1,
    item_mentionsme: 1,
    item_blocked: policy?.held ? blockedAs.held : 0,
  });
}

/** Delivers what a forum has taken over to its members, unless it waits for those who run the forum. Part of a transaction. */
export async function passOn(
  hub: Hub,
  forum: Channel,
  { id, message_id, item_blocked }: Pick<ItemRow, "id" | "message_id" | "item_blocked">,
): Promise<void> {
  if (item_blocked !== 0) return notifyHeld(hub, forum, id);
  await notifyAnswer(hub, forum, id);
  await deliverForum(hub, forum, { id, message_id });
}

/** The same once it has been let in. */
export async function deliverForum(
  hub: Hub,
  { channel_id }: Channel,
  { id, message_id }: Pick<ItemRow, "id" | "message_id">,
): Promise<void> {
  await addJob(hub, "deliver-item", { item: id }, { lane: senderLane(channel_id) });
  await addDeed(hub, channel_id, { deed: "say", message: message_id });
}
