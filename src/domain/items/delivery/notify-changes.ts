import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import { inTransaction, momentIn } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { addJob } from "../../../jobs/queue.ts";
import { unwantedBy } from "../../connections/unwanted.ts";
import { dropNoticesOfKind } from "../../notifications/drop.ts";
import { notify } from "../../notifications/notify.ts";
import type { NewNotice } from "../../notifications/new-notice.ts";
import { hasEnded, pollOf } from "../poll.ts";
import type { Item } from "../types.ts";

/** What those are told who have had to do with a post: that it has another text, and that its poll has ended. */

/** Edits follow each other while somebody mends a text; it is told of what has become of it. */
const settled = 60_000;

/** Has an edit told in a minute, once for all that are made until then; part of its transaction. */
export async function planEditNotice(hub: Hub, message: number): Promise<void> {
  await addJob(hub, "notify-edit", { message }, { at: momentIn(hub, settled), key: `notify-edit ${message}` });
}

/**
 * Tells those of this hub who have answered or shared the message, and have it, that it has another text; what was told of earlier edits
 * goes. A job, which may run twice.
 */
export async function notifyEdit(hub: Hub, message: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await notifyAnew(hub, "edit", await holders(hub, message, hasAnswered, hasShared(message)));
  });
}

/** Has the end of a poll told when it has come; part of the transaction that posts or changes it, or votes in it. */
export async function planPollEnd(hub: Hub, item: Pick<Item, "message_id" | "obj_type" | "obj">): Promise<void> {
  const poll = pollOf(item);
  if (!poll || poll.ends === undefined || hasEnded(hub, poll)) return;
  const key = `notify-poll ${item.message_id} ${poll.ends}`;
  await addJob(hub, "notify-poll", { message: item.message_id }, { at: poll.ends, key });
}

/**
 * Tells who has voted in a poll, and whose it is, that it has ended. A job, of which each end has one: what an earlier end told goes, and
 * running twice tells nothing twice.
 */
export async function notifyPollEnd(hub: Hub, message: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const row = await hub.db
      .selectFrom("message")
      .select(["obj_type", "obj"])
      .where("id", "=", message)
      .executeTakeFirst();
    const poll = row && pollOf(row);
    if (!poll || !hasEnded(hub, poll)) return;
    await notifyAnew(hub, "poll", await holders(hub, message, isTheirs, hasVoted(message)));
  });
}

type Holder = Pick<NewNotice, "to" | "actor"> & { item: number };

/** What is told takes the place of what was told of the same before. */
async function notifyAnew(hub: Hub, kind: "edit" | "poll", holders: readonly Holder[]): Promise<void> {
  await dropNoticesOfKind(
    hub,
    kind,
    holders.map(({ item }) => item),
  );
  await notify(
    hub,
    holders.map((holder) => ({ kind, ...holder })),
  );
}

const hasAnswered = sql<SqlBool>`exists (select 1 from item mine where mine.parent = item.parent and mine.item_normal = 1
  and mine.author_id = me.xchan_id and mine.thr_parent_id = item.id and mine.id <> item.id)`;

const isTheirs = sql<SqlBool>`item.author_id = me.xchan_id`;

function hasShared(message: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from message share join item mine on mine.message_id = share.id
    where share.shared_id = ${message} and share.author_id = me.xchan_id and mine.item_normal = 1)`;
}

function hasVoted(message: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from poll_vote v where v.message_id = ${message} and v.xchan_id = me.xchan_id)`;
}

/** Channels with their own rows of a message, of which one of these is true; nobody who has blocked or ignores its author. */
async function holders(
  hub: Hub,
  message: number,
  ...some: readonly [RawBuilder<SqlBool>, RawBuilder<SqlBool>]
): Promise<Holder[]> {
  const rows = await hub.db
    .selectFrom("item")
    .innerJoin("channel", "channel.channel_id", "item.uid")
    .innerJoin("xchan as me", "me.xchan_hash", "channel.channel_hash")
    .select(["item.id", "item.uid", "item.author_id", "me.xchan_id"])
    .where("item.message_id", "=", message)
    .where("item.item_normal", "=", sql.lit(1))
    .where("channel.channel_removed", "=", sql.lit(0))
    .where((x) => x.or([...some]))
    .where(sql<SqlBool>`item.author_id not in (${unwantedBy(sql.ref("item.uid"))})`)
    .orderBy("item.id")
    .execute();
  return rows.map(({ id, uid, author_id, xchan_id }) => ({
    to: { channel_id: uid, xchan_id },
    actor: author_id,
    item: id,
  }));
}
