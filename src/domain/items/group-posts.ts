import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { findChannelByXchan } from "../identity/channels/channels.ts";
import { audienceIn } from "./audience.ts";
import { isInThreadOf, ownCopyOf, reactionsBelow } from "./find.ts";
import { isCopyOf } from "./kept-text.ts";
import { lockThread } from "./queries.ts";
import { loadItem, loadTop } from "./save.ts";
import { touchAll } from "./thread-dates.ts";
import { dropItems, dropThreads } from "./tombstones.ts";
import type { Item } from "./types.ts";

/**
 * What people of this hub post to a group and nobody else, be it of this hub or of another one, is the group's thread: to its members,
 * and to its author as well (decisions 176 and 193).
 */

/** The hash of the only identity that a private post is for, if it is for one alone. */
export function onlyReaderOf(posted: Item): string | undefined {
  const { allow_cid, allow_gid } = audienceIn(posted);
  return allow_gid.length === 0 && allow_cid.length === 1 ? allow_cid[0] : undefined;
}

/** The author's copy becomes the group's, with all that stands in it; it is no message any more. Part of a transaction that has locked its thread. */
export async function giveToGroup(hub: Hub, { id }: Pick<Item, "id">, groupId: number): Promise<void> {
  await hub.db.updateTable("item").set({ owner_id: groupId, item_direct: 0 }).where("parent", "=", id).execute();
}

/**
 * Does what a group takes out stay with somebody? An author of this hub keeps what they posted, and what they said in public below a
 * post of somebody else; what is public is in the thread of whoever posted it to those who have it of them (decision 176).
 */
export async function isKeptByOthers(hub: Hub, taken: Item, groupId: number): Promise<boolean> {
  if ((await keepsOwn(hub, taken, groupId)) && (await findChannelByXchan(hub, taken.author_id))) return true;
  const other = await hub.db
    .selectFrom("item")
    .select("id")
    .where("message_id", "=", taken.message_id)
    .where(sql<SqlBool>`not ${isInThreadOf(groupId)}`)
    .where("item_deleted", "=", 0)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

async function keepsOwn(hub: Hub, taken: Item, groupId: number): Promise<boolean> {
  if (taken.item_thread_top === 1) return true;
  return taken.item_private === 0 && (await loadItem(hub, taken.parent)).author_id !== groupId;
}

/**
 * A group takes a post, or an answer, out of its threads: its members lose it. An author of this hub keeps it, a post as a thread of their
 * own. Part of a transaction.
 */
export async function takeFromGroup(hub: Hub, posted: Item): Promise<void> {
  const top = await loadTop(hub, posted);
  await lockThread(hub, top.message_id);
  const author = await findChannelByXchan(hub, posted.author_id);
  const own = author && (await ownCopyOf(hub, author.channel_id, posted.message_id));
  const copies = await hub.db
    .selectFrom("item")
    .select("id")
    .where(await isCopyOf(hub, posted.message_id))
    .where(isInThreadOf(top.owner_id))
    .execute();
  const others = copies.map(({ id }) => id).filter((id) => id !== own?.id);
  if (posted.item_thread_top === 0) {
    const reactions = await reactionsBelow(hub, others).select("id").execute();
    await dropItems(hub, [...others, ...reactions.map(({ id }) => id)]);
    return touchAll(hub, top.message_id);
  }
  await dropThreads(hub, others);
  if (own) await hub.db.updateTable("item").set({ owner_id: own.author_id }).where("parent", "=", own.id).execute();
}
