import { sql } from "kysely";
import type { RawBuilder, SelectQueryBuilder, SqlBool } from "kysely";
import { missing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { Tables } from "../../storage/tables/index.ts";
import { observerOf } from "../identity/channels/observer.ts";
import type { Observer } from "../identity/channels/observer.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findChannelByXchan } from "../identity/channels/channels.ts";
import { may } from "../permissions/may.ts";
import { visibleTo } from "../permissions/visible.ts";
import { yes, selectItems } from "./queries.ts";
import type { ItemQuery } from "./queries.ts";
import type { Item } from "./types.ts";

/** Any of the names that an item has within a channel, or the message that it is a copy of. */
export type ItemRef = { id: number } | { mid: string } | { uuid: string } | { messageId: number };

/** Narrows items to those that the reference names. */
export function named(query: ItemQuery, ref: ItemRef): ItemQuery {
  if ("id" in ref) return query.where("item.id", "=", ref.id);
  if ("messageId" in ref) return query.where("item.message_id", "=", ref.messageId);
  return "mid" in ref ? query.where("message.mid", "=", ref.mid) : query.where("message.uuid", "=", ref.uuid);
}

/** The channel's own copy, whatever its state; of saved versions that share a mid the newest. */
export async function findOwnItem(hub: Hub, uid: number, ref: ItemRef): Promise<Item | undefined> {
  return named(selectItems(hub), ref)
    .where("item.uid", "=", uid)
    .orderBy("message.version", "desc")
    .orderBy("item.id")
    .executeTakeFirst();
}

/** Something that the channel has written, by its own copy. Throws missing for everything else. */
export async function findOwnWriting(hub: Hub, channel: Channel, ref: ItemRef): Promise<Item> {
  const item = await findOwnItem(hub, channel.channel_id, ref);
  if (!item || item.author_id !== channel.xchan_id || item.item_deleted === 1) throw missing("Item");
  return item;
}

/**
 * A normal item by any of its copies that the observer may see; the answer is the observer's own copy when there is
 * one, else the owner's. Throws missing, alike for unknown and for unseen ones.
 */
export async function findVisibleItem(hub: Hub, observer: Observer, ref: ItemRef): Promise<Item> {
  const mine = observer.channelId > 0 && "id" in ref ? await ownNormalItem(hub, observer.channelId, ref.id) : undefined;
  if (mine) return mine;
  const copies = await named(selectItems(hub), ref)
    .where("item.item_normal", "=", yes)
    .where(visibleTo(hub, observer))
    .orderBy("item.item_wall", "desc")
    .orderBy("item.id")
    .limit(50)
    .execute();
  const seen = copies.find((copy) => copy.uid === observer.channelId) ?? copies[0];
  if (!seen) throw missing("Item");
  if (seen.uid === observer.channelId) return seen;
  const own = observer.channelId > 0 && (await ownCopyOf(hub, observer.channelId, seen.message_id));
  if (own) return own;
  if (seen.item_wall === 0) await refuseAroundOwner(hub, observer, seen);
  return seen;
}

/** Most references name the observer's own copy, which needs no further question. */
async function ownNormalItem(hub: Hub, uid: number, id: number): Promise<Item | undefined> {
  const rows = await compiled(hub, "own item", { uid, id }, (slots) =>
    selectItems(hub)
      .where("item.id", "=", slots.id)
      .where("item.uid", "=", slots.uid)
      .where("item.item_normal", "=", yes),
  );
  return rows[0];
}

/**
 * Somebody else's copy shows no more than the owner's: nothing to whom the owner has blocked, and nothing that waits to be
 * let in or that the owner has taken off the wall.
 */
async function refuseAroundOwner(hub: Hub, observer: Observer, seen: Item): Promise<void> {
  const owner = await findChannelByXchan(hub, seen.owner_id);
  if (!owner) return;
  const shown = await ownCopyOf(hub, owner.channel_id, seen.message_id);
  if (!shown || !(await may(hub, observer, "view_stream", owner.channel_id))) throw missing("Item");
}

/** Somebody's copy of a message: the owner's where there is one. Undefined where nobody has it any more. */
export async function anyCopyOf(hub: Hub, messageId: number): Promise<Item | undefined> {
  return selectItems(hub)
    .where("item.message_id", "=", messageId)
    .where("item.item_deleted", "=", 0)
    .orderBy("item.item_wall", "desc")
    .orderBy("item.id")
    .executeTakeFirst();
}

/** The reactions to these copies of answers, which have nothing left to say when those are gone. */
export function reactionsBelow(hub: Hub, ids: readonly number[]): SelectQueryBuilder<Tables, "item", object> {
  return hub.db
    .selectFrom("item")
    .where(isOneOf(hub.engine, sql.ref("thr_parent_id"), ids))
    .where("item_notshown", "=", yes);
}

/** Does this copy stand in a thread of this owner? What is said there may name the owner of the thread in which its author has it. */
export function isInThreadOf(ownerId: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from item top where top.id = item.parent and top.owner_id = ${ownerId})`;
}

/** A copy of a message in a thread of this owner; to others it may be somebody else's thread. */
export async function copyInThreadOf(hub: Hub, messageId: number, ownerId: number): Promise<Item | undefined> {
  return selectItems(hub)
    .where("item.message_id", "=", messageId)
    .where(isInThreadOf(ownerId))
    .where("item.item_deleted", "=", 0)
    .orderBy("item.id")
    .executeTakeFirst();
}

/** A channel's own normal copy of a message. */
export async function ownCopyOf(hub: Hub, uid: number, messageId: number): Promise<Item | undefined> {
  return selectItems(hub)
    .where("item.uid", "=", uid)
    .where("item.message_id", "=", messageId)
    .where("item.item_normal", "=", yes)
    .executeTakeFirst();
}

/** The status with that id as the channel sees it; only normal items that are shown are statuses. */
export async function findStatus(hub: Hub, channel: Channel, ref: ItemRef): Promise<Item> {
  return findShown(hub, observerOf(channel), ref);
}

/** The same for anybody. Throws missing. */
export async function findShown(hub: Hub, observer: Observer, ref: ItemRef): Promise<Item> {
  const item = await findVisibleItem(hub, observer, ref);
  if (item.item_notshown === 1) throw missing("Item");
  return item;
}
