import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import { inTransaction, momentIn } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { oneStep } from "../../../storage/in-steps.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { siteChannelIfMade } from "../../identity/channels/site-actor.ts";
import { forgetSent } from "../sent-to.ts";
import { dropItems, dropPartOfThreads } from "../tombstones.ts";
import { termTypes } from "../vocabulary.ts";
import { trimDeletedIds } from "../deleted-ids.ts";
import { forgetDocuments } from "../foreign-documents.ts";
import { forgetFormer } from "../history.ts";
import { forgetLinks } from "../../link-cards/link-cards.ts";
import { trimTakenBack } from "../taken-back.ts";
import { trimFirstContacts } from "../first-contacts.ts";
import { forgetVotes } from "../votes.ts";

/** What keeps the tables from growing for ever: native contract 4.5. */

const day = 24 * 3600 * 1000;
const daysUntilMarked = 10;
const daysUntilGone = 36;

/** How many rows one transaction touches, and of how many threads. */
const batch = 100;
const threads = 20;

function daysAgo(hub: Hub, days: number): string {
  return momentIn(hub, -days * day);
}

/**
 * Drops other people's old threads from the channels that want it (`channel_expire_days`): not on the own wall, not
 * starred, not kept, not filed, without a file or event behind it. Only the local copies go. Those of the site go after
 * `publicDays`, events among them: they are in nobody's calendar there.
 */
export async function expireThreads(hub: Hub): Promise<void> {
  const channels = await hub.db
    .selectFrom("channel")
    .select(["channel_id", "channel_expire_days"])
    .where("channel_expire_days", ">", 0)
    .execute();
  for (const channel of channels) {
    const before = daysAgo(hub, channel.channel_expire_days);
    while (!(await expireSome(hub, channel.channel_id, before, hasNothingBehindIt)));
  }
  const site = await siteChannelIfMade(hub);
  while (!(await expireSome(hub, site, daysAgo(hub, hub.config.publicDays), sql<SqlBool>`1 = 1`)));
}

const hasNothingBehindIt = sql<SqlBool>`message.resource_type = ''`;

/** Answers whether nothing is left. */
async function expireSome(hub: Hub, uid: number, before: string, which: RawBuilder<SqlBool>): Promise<boolean> {
  return inTransaction(hub, async (hub) => {
    const tops = await hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .select("item.id")
      .where("item.uid", "=", uid)
      .where("item.item_normal", "=", sql.lit(1))
      .where("item.item_thread_top", "=", sql.lit(1))
      .where("item.commented", "<", before)
      .where("item.item_wall", "=", 0)
      .where("item.item_starred", "=", 0)
      .where("item.item_retained", "=", 0)
      .where(which)
      .where(sql<SqlBool>`not exists (select 1 from item m join term t on t.message_id = m.message_id
        where m.parent = item.id and t.uid = ${uid} and t.ttype = ${sql.lit(termTypes.file)})`)
      .limit(threads)
      .execute();
    return dropSome(hub, tops);
  });
}

/** Drops the channel's copies of what a former connection started; the channel's own wall stays. May run twice. */
export async function dropThreadsOf(hub: Hub, uid: number, hash: string): Promise<void> {
  while (!(await dropSomeOf(hub, uid, hash)));
}

/** Answers whether nothing is left. */
async function dropSomeOf(hub: Hub, uid: number, hash: string): Promise<boolean> {
  return inTransaction(hub, async (hub) => {
    const person = hub.db.selectFrom("xchan").select("xchan_id").where("xchan_hash", "=", hash);
    const tops = await hub.db
      .selectFrom("item")
      .select("id")
      .where("uid", "=", uid)
      .where("item_thread_top", "=", sql.lit(1))
      .where("item_wall", "=", 0)
      .where("item_deleted", "=", 0)
      .where("author_id", "in", person)
      .limit(threads)
      .execute();
    return dropSome(hub, tops);
  });
}

/** Drops everything that a channel which is gone has in its stream and on its wall; others keep what is theirs. May run twice. */
export async function dropCopies(hub: Hub, uid: number): Promise<void> {
  for (const normal of [1, 0]) while (!(await dropSomeCopies(hub, uid, normal)));
}

/** Answers whether nothing is left. */
async function dropSomeCopies(hub: Hub, uid: number, normal: number): Promise<boolean> {
  return inTransaction(hub, async (hub) => {
    const copies = await hub.db
      .selectFrom("item")
      .select("id")
      .where("uid", "=", uid)
      .where("item_normal", "=", sql.lit(normal))
      .where("item_deleted", "=", 0)
      .limit(batch)
      .execute();
    await dropItems(
      hub,
      copies.map(({ id }) => id),
    );
    return copies.length < batch;
  });
}

async function dropSome(hub: Hub, tops: { id: number }[]): Promise<boolean> {
  const ids = tops.map(({ id }) => id);
  return (await dropPartOfThreads(hub, ids, oneStep)) && tops.length < threads;
}

/** Marks tombstones after ten days and removes them 36 days later, with messages that no channel has any more. */
export async function purgeTombstones(hub: Hub): Promise<void> {
  while ((await markBatch(hub)) === batch);
  while ((await purgeBatch(hub)) === batch);
  await trimDeletedIds(hub);
  await trimTakenBack(hub);
  await trimFirstContacts(hub);
}

async function markBatch(hub: Hub): Promise<number> {
  const old = hub.db
    .selectFrom("item")
    .select("id")
    .where("item_deleted", "=", sql.lit(1))
    .where("item_pending_remove", "=", 0)
    .where("changed", "<", daysAgo(hub, daysUntilMarked))
    .limit(batch);
  const marked = hub.db.updateTable("item").set({ item_pending_remove: 1 }).where("id", "in", old);
  return Number((await marked.executeTakeFirst()).numUpdatedRows);
}

async function purgeBatch(hub: Hub): Promise<number> {
  return inTransaction(hub, async (hub) => {
    const gone = await hub.db
      .selectFrom("item")
      .select(["id", "message_id"])
      .where("item_deleted", "=", sql.lit(1))
      .where("item_pending_remove", "=", 1)
      .where("changed", "<", daysAgo(hub, daysUntilMarked + daysUntilGone))
      .limit(batch)
      .execute();
    if (gone.length === 0) return 0;
    await hub.db
      .deleteFrom("item")
      .where(
        isOneOf(
          hub.engine,
          sql.ref("id"),
          gone.map((row) => row.id),
        ),
      )
      .execute();
    await dropUnused(
      hub,
      gone.map((row) => row.message_id),
    );
    return gone.length;
  });
}

/** Deletes those of these messages that nobody has any more, with all that is said of them. Part of a transaction. */
export async function dropUnused(hub: Hub, messages: number[]): Promise<void> {
  const unused = await hub.db
    .selectFrom("message")
    .select("id")
    .where(isOneOf(hub.engine, sql.ref("id"), messages))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("item").select("item.id").whereRef("item.message_id", "=", "message.id"))),
    )
    .execute();
  const ids = unused.map((row) => row.id);
  if (ids.length === 0) return;
  await hub.db
    .deleteFrom("term")
    .where(isOneOf(hub.engine, sql.ref("message_id"), ids))
    .execute();
  await hub.db
    .deleteFrom("iconfig")
    .where(isOneOf(hub.engine, sql.ref("message_id"), ids))
    .execute();
  await forgetVotes(hub, ids);
  await forgetSent(hub, ids);
  await forgetDocuments(hub, ids);
  await forgetLinks(hub, ids);
  await forgetFormer(hub, ids);
  await hub.db
    .deleteFrom("message")
    .where(isOneOf(hub.engine, sql.ref("id"), ids))
    .execute();
}
