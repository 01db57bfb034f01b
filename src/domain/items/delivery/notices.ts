import { sql } from "kysely";
import type { Hub } from "../../../hub.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { findChannelByXchan } from "../../identity/channels/channels.ts";
import { findXchan } from "../../identity/xchans/xchans.ts";
import { dropNoticesOfDeed, dropNoticesOf, noticeTypes, notify } from "../../notifications/notices.ts";
import { localLink, personLink } from "../links.ts";
import { selectItems } from "../queries.ts";
import type { Recipient } from "./recipients.ts";
import { loadItem } from "../save.ts";
import type { Item } from "../types.ts";
import { reactionOf, reactionSentence, verbUri } from "../vocabulary.ts";
import { hasFollowWish, takingPart, unwelcome } from "./notification-targets.ts";

/** Tells a channel that somebody else wrote on its wall. */
export async function notifyWallPost(hub: Hub, wall: Channel, item: Item): Promise<void> {
  const from = await authorOf(hub, item);
  await tell(
    hub,
    wall,
    from,
    item,
    noticeTypes.wall,
    `${personLink(from)} wrote ${thing(hub, item, "a post")} on your wall`,
  );
}

/** Tells the owner of a thread about a new answer or reaction in it; `itemId` is the owner's copy. */
export async function notifyAnswer(hub: Hub, owner: Channel, itemId: number): Promise<void> {
  const item = await selectItems(hub)
    .where("item.id", "=", itemId)
    .select(hasFollowWish(sql.ref("item.parent"), sql`${owner.xchan_id}`, "unfollow").as("stopped"))
    .executeTakeFirstOrThrow();
  if (item.stopped && item.item_mentionsme === 0) return;
  await notifyOne(hub, owner, item, await authorOf(hub, item));
}

/** Tells the owner of a thread that a comment waits to be let in; others wait under the same notice. */
export async function notifyHeld(hub: Hub, owner: Channel, itemId: number): Promise<void> {
  const item = await loadItem(hub, itemId);
  const from = await authorOf(hub, item);
  await notify(hub, {
    to: owner,
    from,
    type: noticeTypes.comment,
    msg: `${personLink(from)} commented on [zrl=${moderationLink(hub)}]a post; the comment waits for you[/zrl]`,
    verb: item.verb,
    link: moderationLink(hub),
    parent: item.parent_mid,
    otype: "item",
  });
}

/** Takes back the notice about comments that wait, once none does. */
export async function forgetHeld(hub: Hub, uid: number): Promise<void> {
  await dropNoticesOf(hub, uid, [moderationLink(hub)]);
}

function moderationLink(hub: Hub): string {
  return `${hub.config.baseUrl}/moderate`;
}

/** Tells channels of this hub that an edit now mentions them; `copies` are item ids by channel. */
export async function notifyMentions(hub: Hub, readers: Recipient[], copies: Map<number, number>): Promise<void> {
  for (const reader of readers) {
    const id = copies.get(reader.channel_id);
    if (id === undefined) continue;
    const item = await loadItem(hub, id);
    if (await unwelcome(hub, reader.channel_id, item.author_id)) continue;
    await notifyOne(hub, reader, item, await authorOf(hub, item));
  }
}

/**
 * Tells those who just got their copies what concerns them: that they are mentioned, or that somebody answered
 * in a thread where they take part. `copies` are item ids by channel.
 */
export async function notifyReaders(
  hub: Hub,
  readers: Recipient[],
  copies: Map<number, number>,
  message: Item,
): Promise<void> {
  const concerned = await takingPart(hub, readers, message);
  if (concerned.size === 0) return;
  const from = await authorOf(hub, message);
  for (const reader of readers) {
    const id = copies.get(reader.channel_id);
    if (id !== undefined && concerned.has(reader.channel_id))
      await notifyOne(hub, reader, await loadItem(hub, id), from);
  }
}

/**
 * Tells the author of a public post of this hub that somebody has shared it; shares that not everybody may see are
 * nobody's business.
 */
export async function notifyShare(hub: Hub, item: Item): Promise<void> {
  if (item.shared_id === 0 || item.item_private !== 0) return;
  const original = await hub.db
    .selectFrom("message")
    .select("author_id")
    .where("id", "=", item.shared_id)
    .executeTakeFirst();
  const author = original && (await findChannelByXchan(hub, original.author_id));
  if (!author || (await unwelcome(hub, author.channel_id, item.author_id))) return;
  const from = await authorOf(hub, item);
  const verb = verbUri("share");
  await tell(
    hub,
    author,
    from,
    item,
    noticeTypes.reaction,
    `${personLink(from)} shared ${thing(hub, item, "your post")}`,
    verb,
  );
}

/** Takes back what was told of reactions: doing and undoing them again and again leaves one notice at most. */
export async function forgetReactions(hub: Hub, reactions: Item[], target: Item): Promise<void> {
  for (const reaction of reactions) {
    const from = await authorOf(hub, reaction);
    const deed = { link: localLink(hub, target.mid), verb: reaction.verb, url: from.xchan_url };
    await dropNoticesOfDeed(hub, reaction.message_id, deed);
  }
}

async function notifyOne(
  hub: Hub,
  to: Pick<Recipient, "channel_id" | "channel_account_id" | "xchan_id">,
  item: Item,
  from: Xchan,
): Promise<void> {
  const reaction = reactionOf(item.verb);
  if (item.verb === verbUri("tag")) {
    const target = item.thr_parent_id > 0 ? await loadItem(hub, item.thr_parent_id) : item;
    if (target.author_id !== to.xchan_id && target.owner_id !== to.xchan_id) return;
    const msg = `${personLink(from)} tagged ${thing(hub, target, "a post")}`;
    await tell(hub, to, from, target, noticeTypes.tag, msg, item.verb);
  } else if (reaction !== undefined) {
    const target = item.thr_parent_id > 0 ? await loadItem(hub, item.thr_parent_id) : item;
    await tell(
      hub,
      to,
      from,
      target,
      noticeTypes.reaction,
      `${personLink(from)} ${reactionSentence(reaction)} ${thing(hub, target, "a post")}`,
      item.verb,
    );
  } else if (item.item_mentionsme === 1) {
    await tell(
      hub,
      to,
      from,
      item,
      noticeTypes.mention,
      `${personLink(from)} mentioned you in ${thing(hub, item, "a post")}`,
    );
  } else if (item.item_thread_top === 0) {
    await tell(
      hub,
      to,
      from,
      item,
      noticeTypes.comment,
      `${personLink(from)} commented on ${thing(hub, item, "a post")}`,
    );
  }
}

async function tell(
  hub: Hub,
  to: { channel_id: number; channel_account_id: number },
  from: Xchan,
  item: Item,
  type: number,
  msg: string,
  verb = item.verb,
): Promise<void> {
  await notify(hub, {
    to,
    from,
    type,
    msg,
    verb,
    link: localLink(hub, item.mid),
    parent: item.parent_mid,
    otype: "item",
    itemId: item.id,
  });
}

async function authorOf(hub: Hub, item: Item): Promise<Xchan> {
  const author = await findXchan(hub, { id: item.author_id });
  if (!author) throw new Error(`Item ${item.id} has no author record`);
  return author;
}

function thing(hub: Hub, item: Item, words: string): string {
  return `[zrl=${localLink(hub, item.mid)}]${words}[/zrl]`;
}
