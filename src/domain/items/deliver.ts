import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { ItemTable } from "../../storage/tables/items.ts";
import { findChannelById } from "../identity/channels.ts";
import { loadTerms } from "./assemble.ts";
import { ownCopyOf } from "./find.ts";
import { acceptAsForum } from "./forum.ts";
import { noteReaders } from "./notices.ts";
import { localRecipients, mentionedChannels, threadReaders } from "./recipients.ts";
import type { Recipient } from "./recipients.ts";
import { adoptTops } from "./save.ts";
import { touchThread } from "./thread-dates.ts";
import { selectItems } from "./queries.ts";
import type { Item } from "./types.ts";
import { termTypes } from "./vocabulary.ts";

/** How many channels get their copies in one transaction; others can write in between. */
const batch = 100;

/** Gives the local audience of a top item their copies. May run twice. */
export async function deliverItem(hub: Hub, itemId: number): Promise<void> {
  const item = await selectItems(hub).where("item.id", "=", itemId).executeTakeFirst();
  if (!item || item.item_normal === 0) return;
  const sender = await findChannelById(hub, item.uid);
  if (!sender) return;
  const mentioned = await mentionsOf(hub, item);
  for (const group of batches(await localRecipients(hub, sender, item))) {
    await inTransaction(hub, async (hub) => {
      const copies = await insertTops(hub, item, group, mentioned);
      await noteReaders(hub, group, copies, item);
    });
  }
  for (const forum of mentioned.filter((channel) => channel.forum === 1)) await acceptAsForum(hub, forum, item);
}

/** Passes an answer on from the owner's copy to everybody else who has the thread. May run twice. */
export async function deliverAnswer(hub: Hub, ownerId: number, messageId: number): Promise<void> {
  const owner = await findChannelById(hub, ownerId);
  const answer = await ownCopyOf(hub, ownerId, messageId);
  if (!owner || !answer) return;
  const top = await selectItems(hub).where("item.id", "=", answer.parent).executeTakeFirst();
  if (!top || top.item_normal === 0) return;
  const mentioned = await mentionsOf(hub, answer);
  for (const group of batches(await threadReaders(hub, owner, top))) {
    await inTransaction(hub, async (hub) => {
      const copies = await insertAnswers(hub, answer, top, group, mentioned);
      const uids = [...copies.keys()];
      if (uids.length > 0) await touchThread(hub, top.message_id, uids, answer.item_notshown ? undefined : answer);
      await noteReaders(hub, group, copies, answer);
    });
  }
}

async function mentionsOf(hub: Hub, item: Item) {
  const terms = (await loadTerms(hub, [item.message_id], 0)).get(item.message_id) ?? [];
  const urls = terms.filter((term) => term.ttype === termTypes.mention).map((term) => term.url);
  return mentionedChannels(hub, urls);
}

function batches<T>(all: T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / batch) }, (_, index) => all.slice(index * batch, (index + 1) * batch));
}

/** The columns that all copies of an item share. Lists stay with the owner. */
function sharedColumns(hub: Hub, item: Item, mentioned: Recipient[]) {
  const moment = now(hub);
  const mentionedIds = mentioned.map((one) => one.channel_id);
  return {
    message_id: sql<number>`${item.message_id}`,
    author_id: sql<number>`${item.author_id}`,
    owner_id: sql<number>`${item.owner_id}`,
    source_id: sql<number>`${item.source_id}`,
    created: sql<string>`${item.created}`,
    commented: sql<string>`${item.commented}`,
    received: sql<string>`${moment}`,
    changed: sql<string>`${moment}`,
    public_policy: sql<string>`${item.public_policy}`,
    comment_policy: sql<string>`${item.comment_policy}`,
    item_private: sql<number>`${item.item_private}`,
    item_notshown: sql<number>`${item.item_notshown}`,
    item_thread_top: sql<number>`${item.item_thread_top}`,
    item_unseen: sql<number>`1`,
    item_mentionsme:
      mentionedIds.length === 0
        ? sql<number>`0`
        : sql<number>`case when ${isOneOf(hub.engine, sql.ref("channel.channel_id"), mentionedIds)} then 1 else 0 end`,
  };
}

/** Copies of a thread's top for channels that have none yet; answers the new item ids by channel. */
async function insertTops(hub: Hub, item: Item, readers: Recipient[], mentioned: Recipient[]): Promise<Map<number, number>> {
  const columns = {
    ...sharedColumns(hub, item, mentioned),
    uid: sql.ref<number>("channel.channel_id"),
    aid: sql.ref<number>("channel.channel_account_id"),
    parent: sql<number>`0`,
    thr_parent_id: sql<number>`0`,
  };
  const rows = await hub.db
    .insertInto("item")
    .columns(keys(columns))
    .expression(
      hub.db
        .selectFrom("channel")
        .select(named(columns))
        .where(isOneOf(hub.engine, sql.ref("channel.channel_id"), readers.map((reader) => reader.channel_id))),
    )
    .onConflict((conflict) => conflict.columns(["message_id", "uid"]).doNothing())
    .returning(["id", "uid"])
    .execute();
  await adoptTops(hub, item.message_id);
  return new Map(rows.map((row) => [row.uid, row.id]));
}

/** Copies of an answer, each below the receiver's own copy of the thread. */
async function insertAnswers(hub: Hub, answer: Item, top: Item, readers: Recipient[], mentioned: Recipient[]): Promise<Map<number, number>> {
  const columns = {
    ...sharedColumns(hub, answer, mentioned),
    uid: sql.ref<number>("channel.channel_id"),
    aid: sql.ref<number>("channel.channel_account_id"),
    parent: sql.ref<number>("thread.id"),
    thr_parent_id: sql<number>`coalesce(parent.id, 0)`,
    answers_me: sql<number>`case when parent.author_id = xchan.xchan_id then 1 else 0 end`,
  };
  const rows = await hub.db
    .insertInto("item")
    .columns(keys(columns))
    .expression(
      hub.db
        .selectFrom("item as thread")
        .innerJoin("channel", "channel.channel_id", "thread.uid")
        .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
        .leftJoin("item as parent", (join) =>
          join.onRef("parent.uid", "=", "thread.uid").on("parent.message_id", "=", parentMessageOf(hub, answer)),
        )
        .select(named(columns))
        .where("thread.message_id", "=", top.message_id)
        .where("thread.item_deleted", "=", 0)
        .where(isOneOf(hub.engine, sql.ref("channel.channel_id"), readers.map((reader) => reader.channel_id))),
    )
    .onConflict((conflict) => conflict.columns(["message_id", "uid"]).doNothing())
    .returning(["id", "uid"])
    .execute();
  return new Map(rows.map((row) => [row.uid, row.id]));
}

type Columns = { [C in keyof ItemTable]?: RawBuilder<unknown> };

function keys(columns: Columns): (keyof ItemTable)[] {
  return Object.keys(columns) as (keyof ItemTable)[];
}

function named(columns: Columns) {
  return Object.entries(columns).map(([name, value]) => value.as(name));
}

/** The message that an answer answers directly, by the owner's copy of it. */
function parentMessageOf(hub: Hub, answer: Item) {
  return hub.db.selectFrom("item as direct").select("direct.message_id").where("direct.id", "=", answer.thr_parent_id);
}
