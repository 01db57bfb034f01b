import { sql } from "kysely";
import { missing, refusal } from "../../../errors.ts";
import { inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { addJob } from "../../../jobs/queue.ts";
import { observerOf } from "../../identity/channels/observer.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { activityMessage } from "./activity-message.ts";
import type { About } from "./activity-message.ts";
import { spread } from "./comment.ts";
import type { ItemRef } from "../find.ts";
import { recountElsewhere } from "../changed.ts";
import { findAnswerable } from "../media/photo-thread.ts";
import { forgetReactions } from "../delivery/notices.ts";
import { emojiUrl, isEmoji } from "../../proxy/emoji.ts";
import { refuseUnpermitted } from "../permits.ts";
import { openThread } from "./open-thread.ts";
import { selectItems, lockThread } from "../queries.ts";
import { loadItem, saveMessage, loadTop } from "../save.ts";
import { touchAll } from "../thread-dates.ts";
import { tombstoneMessages } from "../tombstones.ts";
import type { Item } from "../types.ts";
import { reactionEmoji, reactionPicture, reactionSentence, reactionSet, verbUri } from "../vocabulary.ts";

const imageType = "http://activitystrea.ms/schema/1.0/image";

/**
 * Gives an item a reaction of the channel; one that excludes it goes. `again` says what a repetition does: it stays or
 * it is taken back. Answers the reaction's item, a tombstone when it was taken back. Throws missing, denied.
 */
export async function react(
  hub: Hub,
  author: Channel,
  ref: ItemRef,
  name: string,
  again: "stays" | "takes back",
): Promise<Item> {
  const set = reactionSet(name);
  const picture = reactionPicture(name);
  if (!set || (picture && !(await isEmoji(hub, picture.host, picture.code)))) throw refusal("unknown_verb");
  return inTransaction(hub, async (hub) => {
    const thread = await openThread(hub, author, ref);
    if (thread.parent.item_notshown === 1) throw missing("Item");
    const former = await reactionsBy(hub, author, thread.parent, set);
    const same = former.find((item) => item.verb === verbUri(name));
    if (same && again === "stays") return same;
    // Invitations are for being answered.
    if (!same && !name.startsWith("attend")) await refuseUnpermitted(hub, author, thread.parent.message_id, "like");
    await takeBack(hub, former, thread.parent);
    await recordAttendance(hub, author, thread.parent, name);
    if (thread.parent.item_consensus === 1) await recountElsewhere(hub, thread.parent);
    if (same) return loadItem(hub, same.id);
    const activity = { verb: name, does: reactionSentence(name) };
    const message = await saveMessage(
      hub,
      await activityMessage(hub, author, thread.top, thread.parent, activity, aboutReaction(hub, name)),
      [],
    );
    return spread(hub, author, thread, {
      message_id: message.id,
      created: now(hub),
      author_id: author.xchan_id,
      item_notshown: 1,
      mentioned: [],
      ...(name === "like" && { asks: "like" }),
    });
  });
}

/** Takes a reaction back; nothing happens when there is none. Throws missing for an item that is not seen. */
export async function unreact(hub: Hub, author: Channel, ref: ItemRef, name: string): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const target = await findAnswerable(hub, observerOf(author), ref);
    const former = await reactionsBy(hub, author, target, [name]);
    await takeBack(hub, former, target);
    await recordAttendance(hub, author, target, name);
    if (target.item_consensus === 1) await recountElsewhere(hub, target);
  });
}

/** Whoever answers an invitation finds the event in the calendar, or no more. */
async function recordAttendance(hub: Hub, author: Channel, target: Item, name: string): Promise<void> {
  if (target.resource_type !== "event" || !name.startsWith("attend")) return;
  await addJob(hub, "follow-attendance", { uid: author.channel_id, message: target.message_id });
}

/** Reactions go, and with them what was told of them; whoever has the thread learns that it has changed. */
export async function takeBack(hub: Hub, reactions: Item[], target: Item): Promise<void> {
  if (reactions.length === 0) return;
  const top = await loadTop(hub, target);
  await lockThread(hub, top.message_id);
  await forgetReactions(hub, reactions, target);
  await tombstoneMessages(
    hub,
    reactions.map((item) => item.message_id),
  );
  await touchAll(hub, top.message_id);
}

function reactionsBy(hub: Hub, author: Channel, target: Item, names: readonly string[]): Promise<Item[]> {
  return selectItems(hub)
    .where("item.thr_parent_id", "=", target.id)
    .where("item.item_normal", "=", sql.lit(1))
    .where("item.author_id", "=", author.xchan_id)
    .where(isOneOf(hub.engine, sql.ref("message.verb"), names.map(verbUri)))
    .execute();
}

/** An emoji is shown by its picture, which mostly is the character itself. */
export function aboutReaction(hub: Hub, name: string): (type: string, object: object) => About {
  const [emoji, drawn] = [reactionEmoji(name), reactionPicture(name)];
  const title = name.slice(name.indexOf("#") + 1);
  const picture = drawn
    ? { type: imageType, title, content: `:${drawn.code}:`, url: emojiUrl(hub, drawn.host, drawn.code) }
    : emoji && { type: imageType, title, content: emoji };
  return (type, object) => ({
    obj_type: type,
    obj: JSON.stringify(object),
    ...(picture && { tgt_type: imageType, target: JSON.stringify(picture) }),
  });
}
