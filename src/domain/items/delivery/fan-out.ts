import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import type { Slots } from "../../../storage/compiled-query.ts";
import { freshIds, isOneOf } from "../../../storage/sql.ts";
import { emit } from "../../live/emit.ts";
import { loadTerms } from "../assemble.ts";
import { mentionedChannels } from "./recipients.ts";
import type { Mentioned, Recipient } from "./recipients.ts";
import { named, namesOf } from "../save.ts";
import { touchThread } from "../thread-dates.ts";
import { no, selectItems, yes } from "../queries.ts";
import type { Item } from "../types.ts";
import { termTypes } from "../vocabulary.ts";

/** Copies of messages for channels of this hub; what a channel has already stays as it is. */

type Reader = Pick<Recipient, "channel_id">;

/** The new copies: item ids by channel. */
export type Copies = Map<number, number>;

/** What all copies of a message have in common. */
export type Shared = Pick<
  Item,
  | "message_id"
  | "author_id"
  | "owner_id"
  | "source_id"
  | "created"
  | "commented"
  | "public_policy"
  | "comment_policy"
  | "item_private"
  | "item_kind"
  | "item_notshown"
  | "item_thread_top"
  | "item_direct"
>;

/** An answer, and what it answers: as its owner's copy has it, or by a message where the owner's hub is another one. */
export type SharedAnswer = Shared & (Pick<Item, "id" | "thr_parent_id"> | { mid: string; parentMessage: number });

/** Whether whoever listens hears of new copies: not of what was there before they came. */
export type Telling = "aloud" | "quietly";

/** Copies of a thread's top for channels that have none yet. */
export async function fanOutTop(
  hub: Hub,
  top: Shared,
  some: readonly Reader[],
  mentioned: readonly Reader[],
  telling: Telling = "aloud",
): Promise<Copies> {
  const rows = await compiled(hub, "copies of a top", givenOf(hub, top, some, mentioned), ({ readers, ...slots }) => {
    const id = sql.ref<number>("reader.id");
    const values = { ...sharedValues(hub, slots), id, parent: id, thr_parent_id: id };
    return hub.db
      .insertInto("item")
      .columns(namesOf(values))
      .expression(
        hub.db
          .selectFrom(channelsOf(hub, readers).select(freshIds(hub.engine, "item").as("id")).as("reader"))
          .select(named(values))
          // Without it SQLite would take the conflict below for the condition of a join.
          .where(sql<SqlBool>`1 = 1`),
      )
      .onConflict((conflict) => conflict.columns(["message_id", "uid"]).doNothing())
      .returning(["id", "uid"]);
  });
  const copies = new Map(rows.map((row) => [row.uid, row.id]));
  const before = [...some, ...mentioned].map((reader) => reader.channel_id).filter((uid) => !copies.has(uid));
  if (before.length > 0) await keepNoLonger(hub, top, before);
  if (telling === "aloud") await emitCopies(hub, top, rows);
  return copies;
}

/** Whoever had the thread only because of a like, and gets it now, has it as others do (mastodon contract 5.3). */
async function keepNoLonger(hub: Hub, { message_id }: Shared, uids: readonly number[]): Promise<void> {
  await hub.db
    .updateTable("item")
    .set({ item_kept: 0 })
    .where("message_id", "=", message_id)
    .where("item_kept", "=", 1)
    .where(isOneOf(hub.engine, sql.ref("uid"), uids))
    .execute();
}

/** One word for all of them, however many there are. */
async function emitCopies(hub: Hub, { message_id }: Shared, rows: readonly { id: number }[]): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await emit(hub, { what: "item", message: message_id, from: Math.min(...ids), to: Math.max(...ids) });
}

/** Copies of an answer, each below the receiver's own copy of the thread, which learns of it. */
export async function fanOutAnswer(
  hub: Hub,
  answer: SharedAnswer,
  top: Pick<Item, "message_id">,
  some: readonly Reader[],
  mentioned: readonly Reader[],
  telling: Telling = "aloud",
): Promise<Copies> {
  const isBelowMessage = "parentMessage" in answer;
  const given = {
    ...givenOf(hub, answer, some, mentioned),
    thread: top.message_id,
    answered: isBelowMessage ? answer.parentMessage : answer.thr_parent_id,
  };
  const name = isBelowMessage ? "copies of an answer to a message" : "copies of an answer";
  const rows = await compiled(hub, name, given, ({ readers, thread, answered, ...slots }) => {
    const values = {
      ...sharedValues(hub, slots),
      parent: sql.ref<number>("thread.id"),
      thr_parent_id: sql<number>`coalesce(parent.id, 0)`,
      answers_me: sql<number>`case when parent.author_id = reader.xchan_id then 1 else 0 end`,
    };
    const answeredMessage = isBelowMessage
      ? answered
      : hub.db.selectFrom("item as direct").select("direct.message_id").where("direct.id", "=", answered);
    return hub.db
      .insertInto("item")
      .columns(namesOf(values))
      .expression(
        hub.db
          .selectFrom("item as thread")
          .innerJoin(channelsOf(hub, readers).as("reader"), "reader.channel_id", "thread.uid")
          .leftJoin("item as parent", (join) =>
            join.onRef("parent.uid", "=", "thread.uid").on("parent.message_id", "=", answeredMessage),
          )
          .select(named(values))
          .where("thread.message_id", "=", thread)
          .where("thread.item_deleted", "=", no),
      )
      .onConflict((conflict) => conflict.columns(["message_id", "uid"]).doNothing())
      .returning(["id", "uid"]);
  });
  const uids = rows.map((row) => row.uid);
  if (uids.length === 0) return new Map();
  if (telling === "aloud") await emitCopies(hub, answer, rows);
  await adoptAnswers(hub, answer, top, uids);
  await touchThread(hub, top.message_id, uids, answer.item_notshown ? undefined : answer);
  return new Map(rows.map((row) => [row.uid, row.id]));
}

/** Channels that have nothing of a public thread get what there is of it, but for the answer that they get it for: that is news. */
export async function fanOutThread(hub: Hub, top: Item, newcomers: readonly Reader[], but: number): Promise<void> {
  if (newcomers.length === 0) return;
  await fanOutTop(hub, top, newcomers, []);
  await fanOutAnswers(hub, top, newcomers, { but });
}

/** Copies of the answers that a thread has, below the copies of it that these channels have; not of the message `but`, which is news. */
export async function fanOutAnswers(
  hub: Hub,
  top: Item,
  some: readonly Reader[],
  { but = 0, telling = "aloud" }: { but?: number; telling?: Telling } = {},
): Promise<void> {
  for (const answer of await answersOf(hub, top))
    if (answer.message_id !== but) await fanOutAnswer(hub, answer, top, some, [], telling);
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
export async function mentionsOf(hub: Hub, item: Pick<Item, "message_id">): Promise<Mentioned[]> {
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
async function adoptAnswers(
  hub: Hub,
  answer: SharedAnswer,
  { message_id }: Pick<Item, "message_id">,
  uids: number[],
): Promise<void> {
  const below = hub.db.selectFrom("item as below").select("below.message_id");
  const answering =
    "id" in answer
      ? below.where("below.thr_parent_id", "=", answer.id)
      : below
          .innerJoin("item as thread", "thread.id", "below.parent")
          .innerJoin("message", "message.id", "below.message_id")
          .where("thread.message_id", "=", message_id)
          .where("below.thr_parent_id", "=", 0)
          .where("message.thr_parent", "=", answer.mid);
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

/** What the statements above are given; channels by their ids. */
function givenOf(hub: Hub, item: Shared, readers: readonly Reader[], mentioned: readonly Reader[]) {
  return {
    message_id: item.message_id,
    author_id: item.author_id,
    owner_id: item.owner_id,
    source_id: item.source_id,
    created: item.created,
    commented: item.commented,
    public_policy: item.public_policy,
    comment_policy: item.comment_policy,
    item_private: item.item_private,
    item_kind: item.item_kind,
    item_notshown: item.item_notshown,
    item_thread_top: item.item_thread_top,
    item_direct: item.item_direct,
    moment: now(hub),
    readers: readers.map(({ channel_id }) => channel_id),
    mentioned: mentioned.map(({ channel_id }) => channel_id),
  };
}

type Given = Slots<ReturnType<typeof givenOf>>;

/** What the copy of every `reader` has. Lists stay with the owner; one's own words are not news, and to the site's own channel nothing is. */
function sharedValues(hub: Hub, { moment, mentioned, ...same }: Omit<Given, "readers">) {
  const isMentioned = isOneOf(hub.engine, sql.ref("reader.channel_id"), mentioned);
  return {
    ...same,
    uid: sql.ref<number>("reader.channel_id"),
    aid: sql.ref<number>("reader.channel_account_id"),
    received: moment,
    changed: moment,
    item_unseen: sql<number>`case when reader.xchan_id <> ${same.author_id} then 1 else 0 end`,
    item_mentionsme: sql<number>`case when ${isMentioned} then 1 else 0 end`,
  };
}

/** The site's own channel is nobody among people. */
function channelsOf(hub: Hub, readers: Given["readers"]) {
  return hub.db
    .selectFrom("channel")
    .leftJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
    .select(["channel.channel_id", "channel.channel_account_id", "xchan.xchan_id"])
    .where(isOneOf(hub.engine, sql.ref("channel.channel_id"), readers));
}
