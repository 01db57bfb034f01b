import { sql } from "kysely";
import { refusal } from "../../../errors.ts";
import { inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { observerOf } from "../../identity/channels/observer.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { activityMessage } from "./activity-message.ts";
import { inheritedScope } from "../audience.ts";
import { ensureCopy } from "./copies.ts";
import { findVisibleItem } from "../find.ts";
import type { ItemRef } from "../find.ts";
import { no, selectItems, lockThread } from "../queries.ts";
import { loadItem, saveItem, saveMessage, loadTop } from "../save.ts";
import { tombstoneMessages } from "../tombstones.ts";
import type { Item } from "../types.ts";
import { verbUri } from "../vocabulary.ts";

/** What a channel has said about the notices of a thread: it wants them, or none of them. */
export type Following = "follow" | "unfollow";

const uris = { follow: verbUri("follow"), unfollow: verbUri("unfollow") };

/**
 * Resumes or stops the notices of an item's thread. Only the channel learns of it: the answer is a hidden item of its
 * own copy of the thread, in place of what it said before. Throws missing.
 */
export async function followThread(hub: Hub, channel: Channel, ref: ItemRef, follows: boolean): Promise<Item> {
  return inTransaction(hub, async (hub) => {
    const seen = await findVisibleItem(hub, observerOf(channel), ref);
    const top = await ensureCopy(hub, channel, await loadTop(hub, seen));
    await lockThread(hub, top.message_id);
    const wish = follows ? "follow" : "unfollow";
    const former = await followItemsOf(hub, channel, top.id);
    if (former.length === 1 && former[0]!.verb === uris[wish]) return former[0]!;
    await tombstoneMessages(
      hub,
      former.map((item) => item.message_id),
    );
    return say(hub, channel, top, wish);
  });
}

/** What the channel has said about the notices of a thread, named by its own copy of the top; undefined for nothing. */
export async function followingOf(hub: Hub, channel: Channel, topId: number): Promise<Following | undefined> {
  const [latest] = await followItemsOf(hub, channel, topId);
  if (!latest) return undefined;
  return latest.verb === uris.follow ? "follow" : "unfollow";
}

async function followItemsOf(hub: Hub, channel: Channel, topId: number): Promise<Item[]> {
  return (
    selectItems(hub)
      .where("item.parent", "=", topId)
      .where("item.item_normal", "=", no)
      .where("item.item_hidden", "=", 1)
      .where("item.item_deleted", "=", no)
      // An expression, so that the thread is looked through, not all that the channel ever deleted.
      .where(sql<number>`item.author_id + 0`, "=", channel.xchan_id)
      .where(isOneOf(hub.engine, sql.ref("message.verb"), [uris.follow, uris.unfollow]))
      .execute()
  );
}

async function say(hub: Hub, channel: Channel, top: Item, wish: Following): Promise<Item> {
  const does = wish === "follow" ? "follows" : "stopped following";
  const message = await saveMessage(hub, await activityMessage(hub, channel, top, top, { verb: wish, does }), []);
  const own = await saveItem(hub, {
    ...inheritedScope(top),
    message_id: message.id,
    uid: top.uid,
    aid: top.aid,
    parent: top.id,
    thr_parent_id: top.id,
    author_id: channel.xchan_id,
    owner_id: top.owner_id,
    created: now(hub),
    item_origin: 1,
    item_notshown: 1,
    item_hidden: 1,
  });
  if (!own) throw refusal("duplicate_post");
  return loadItem(hub, own.id);
}
