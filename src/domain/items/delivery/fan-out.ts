import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { ItemTable } from "../../../storage/tables/items.ts";
import { loadTerms } from "../assemble.ts";
import { mentionedChannels } from "./recipients.ts";
import type { Recipient } from "./recipients.ts";
import { adoptTops } from "../save.ts";
import { touchThread } from "../thread-dates.ts";
import { no, selectItems, yes } from "../queries.ts";
import type { Item } from "../types.ts";
import { termTypes } from "../vocabulary.ts";

/** Copies of messages for channels of this hub; what a channel has already stays as it is. */

type Reader = Pick<Recipient, "channel_id">;

/** The new copies: item ids by channel. */
type Copies = Map<number, number>;

/** Copies of a thread's top for channels that have none yet. */
export async function fanOutTop(hub: Hub, top: Item, readers: Reader[], mentioned: Reader[]): Promise<Copies> {
  const columns = {
    ...sharedColumns(hub, top, mentioned),
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
        .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
        .select(named(columns))
        .where(among(hub, readers)),
    )
    .onConflict((conflict) => conflict.columns(["message_id", "uid"]).doNothing())
    .returning(["id", "uid"])
    .execute();
  await adoptTops(hub, top.message_id);
  return new Map(rows.map((row) => [row.uid, row.id]));
}

/** Copies of an answer, each below the receiver's own copy of the thread, which learns of it. */
export async function fanOutAnswer(
  hub: Hub,
  answer: Item,
  top: Item,
  readers: Reader[],
  mentioned: Reader[],
): Promise<Copies> {
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
        .where(among(hub, readers)),
    )
    .onConflict((conflict) => conflict.columns(["message_id", "uid"]).doNothing())
    .returning(["id", "uid"])
    .execute();
  const uids = rows.map((row) => row.uid);
  if (uids.length === 0) return new Map();
  await adoptAnswers(hub, answer, uids);
  await touchThread(hub, top.message_id, uids, answer.item_notshown ? undefined : answer);
  return new Map(rows.map((row) => [row.uid, row.id]));
}

/** The answers of a thread as its owner has them, oldest first; not what the owner keeps to itself. */
export async function answersOf(hub: Hub, top: Item): Promise<Item[]> {
  return selectItems(hub)
    .where("item.parent", "=", top.id)
    .where("item.item_normal", "=", yes)
    .where("item.item_thread_top", "=", no)
    .where("item.allow_cid", "=", top.allow_cid)
    .orderBy("item.id")
    .execute();
}

/** The channels of this hub that a message mentions. */
export async function mentionsOf(hub: Hub, item: Item): Promise<(Recipient & { forum: number })[]> {
  const terms = (await loadTerms(hub, [item.message_id], 0)).get(item.message_id) ?? [];
  const urls = terms.filter((term) => term.ttype === termTypes.mention).map((term) => term.url);
  return mentionedChannels(hub, urls);
}

/** Marks the copies of those whom the message mentions since it was edited, and answers these. */
export async function markMentioned(hub: Hub, item: Item, mentioned: Reader[]): Promise<Copies> {
  if (mentioned.length === 0) return new Map();
  const uids = mentioned.map((reader) => reader.channel_id);
  const rows = await hub.db
    .updateTable("item")
    .set({ item_mentionsme: 1, item_unseen: 1 })
    .where("message_id", "=", item.message_id)
    .where(isOneOf(hub.engine, sql.ref("uid"), uids))
    .where("item_mentionsme", "=", 0)
    .where("item_normal", "=", yes)
    .returning(["id", "uid"])
    .execute();
  return new Map(rows.map((row) => [row.uid, row.id]));
}

/** Jobs have no order: answers that were there before what they answer find their place now. */
async function adoptAnswers(hub: Hub, answer: Item, uids: number[]): Promise<void> {
  const answering = hub.db
    .selectFrom("item as below")
    .select("below.message_id")
    .where("below.thr_parent_id", "=", answer.id);
  await hub.db
    .updateTable("item")
    .set({
      thr_parent_id: sql<number>`(select p.id from item p where p.uid = item.uid and p.message_id = ${answer.message_id})`,
      answers_me: sql<number>`(select count(*) from xchan x join channel c on c.channel_hash = x.xchan_hash
        where c.channel_id = item.uid and x.xchan_id = ${answer.author_id})`,
    })
    .where("message_id", "in", answering)
    .where("thr_parent_id", "=", 0)
    .where(isOneOf(hub.engine, sql.ref("uid"), uids))
    .execute();
}

/** The columns that all copies of an item share. Lists stay with the owner; one's own words are not news. */
function sharedColumns(hub: Hub, item: Item, mentioned: Reader[]) {
  const moment = now(hub);
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
    item_kind: sql<number>`${item.item_kind}`,
    item_notshown: sql<number>`${item.item_notshown}`,
    item_thread_top: sql<number>`${item.item_thread_top}`,
    item_unseen: sql<number>`case when xchan.xchan_id = ${item.author_id} then 0 else 1 end`,
    item_mentionsme:
      mentioned.length === 0 ? sql<number>`0` : sql<number>`case when ${among(hub, mentioned)} then 1 else 0 end`,
  };
}

function among(hub: Hub, readers: Reader[]) {
  return isOneOf(
    hub.engine,
    sql.ref("channel.channel_id"),
    readers.map((reader) => reader.channel_id),
  );
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
