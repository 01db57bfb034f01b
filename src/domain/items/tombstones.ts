import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import { emit } from "../live/emit.ts";
import { dropNoticesAbout } from "../notifications/drop.ts";
import { forgetLinks } from "../link-cards/link-cards.ts";
import { inPieces, isOneOf } from "../../storage/sql.ts";
import { rememberDeleted } from "./deleted-ids.ts";
import { forgetDocuments } from "./foreign-documents.ts";
import { forgetFormer } from "./history.ts";
import { withKeptTexts } from "./kept-text.ts";
import { unshareDropped } from "./share-files.ts";
import { sharing } from "./sharing.ts";
import { countStatus } from "./status-count.ts";
import { forgetVotes } from "./votes.ts";
import { withdrawElsewhere } from "./withdrawn.ts";

/** Every text of a message, emptied. */
const nothing = {
  title: "",
  summary: "",
  body: "",
  html: "",
  plain: "",
  obj: "",
  target: "",
  attach: "",
  sig: "",
  location: "",
  coord: "",
  words: "",
};

/**
 * Turns messages into tombstones, also for those who keep them as they were; the linked items of photos that still exist are hidden
 * instead (native contract 4.5).
 */
export async function tombstoneMessages(hub: Hub, messages: number[]): Promise<void> {
  if (messages.length === 0) return;
  const all = await withKeptTexts(hub, messages);
  const kept = new Set(await hidePhotoItems(hub, all));
  await makeTombstones(
    hub,
    all.filter((message) => !kept.has(message)),
  );
}

/** Hides those of the messages that stand for photos which exist, and answers which these are. */
async function hidePhotoItems(hub: Hub, messages: number[]): Promise<number[]> {
  const rows = await hub.db
    .selectFrom("message")
    .innerJoin("attach", "attach.hash", "message.resource_id")
    .select("message.id")
    .distinct()
    .where(among(hub, "message.id", messages))
    .where("message.resource_type", "=", "photo")
    .where("attach.latest", "=", sql.lit(1))
    .where(
      sql<boolean>`exists (select 1 from item i where i.message_id = message.id and i.uid = attach.uid and i.item_wall = 1)`,
    )
    .execute();
  const ids = rows.map((row) => row.id);
  if (ids.length === 0) return ids;
  await uncount(hub, ids);
  await hub.db
    .updateTable("item")
    .set({ item_hidden: 1, item_unseen: 0, changed: now(hub) })
    .where(among(hub, "message_id", ids))
    .where("item_deleted", "=", 0)
    .execute();
  await emitGone(hub, ids);
  await dropNoticesAbout(hub, await idsOf(hub, ids));
  return ids;
}

/**
 * Turns messages into tombstones for every channel of this hub: no text, no terms, no metadata is left; the rows stay
 * so that a later delivery of the same message is ignored.
 */
export async function makeTombstones(hub: Hub, messages: number[]): Promise<void> {
  if (messages.length === 0) return;
  const moment = now(hub);
  await uncount(hub, messages);
  await forgetEvents(hub, messages);
  // Each piece is a few statements that nothing can interrupt.
  for (const some of inPieces(messages)) {
    await emptyMessages(hub, some, moment);
    await planEndOfShares(hub, some);
  }
  await dropItems(hub, await idsOf(hub, messages));
}

async function emptyMessages(hub: Hub, messages: number[], moment: string): Promise<void> {
  await withdrawElsewhere(hub, messages, moment);
  await rememberDeleted(hub, messages, moment);
  await hub.db
    .updateTable("message")
    .set({ ...nothing, ...sharing("", 0), edited: moment })
    .where(among(hub, "id", messages))
    .execute();
  await hub.db
    .deleteFrom("term")
    .where(among(hub, "message_id", messages))
    .execute();
  await hub.db
    .deleteFrom("iconfig")
    .where(among(hub, "message_id", messages))
    .execute();
  await forgetVotes(hub, messages);
  await forgetDocuments(hub, messages);
  await forgetLinks(hub, messages);
  await forgetFormer(hub, messages);
}

/** What shares one of them goes as well, by and by, or says it no more. Part of the transaction that ends or closes these messages. */
export async function planEndOfShares(hub: Hub, messages: readonly number[]): Promise<void> {
  const shared = await hub.db
    .selectFrom("message")
    .select("shared_id")
    .distinct()
    .where(among(hub, "shared_id", messages))
    .where("shared_id", ">", sql.lit(0))
    .execute();
  for (const { shared_id: message } of shared) await addJob(hub, "end-shares", { message });
}

/** An event and its item are deleted together, also from the calendars of those who wanted to come. */
async function forgetEvents(hub: Hub, messages: number[]): Promise<void> {
  const events = await hub.db
    .selectFrom("message")
    .innerJoin("xchan", "xchan.xchan_id", "message.author_id")
    .select(["message.resource_id", "xchan.xchan_hash"])
    .where(among(hub, "message.id", messages))
    .where("message.resource_type", "=", "event")
    .execute();
  for (const event of events) {
    await hub.db
      .deleteFrom("event")
      .where("event_hash", "=", event.resource_id)
      .where("event_xchan", "=", event.xchan_hash)
      .execute();
  }
}

/** Drops single copies: nobody else's are touched. */
export async function dropItems(hub: Hub, ids: number[]): Promise<void> {
  for (const some of inPieces(ids)) {
    const dropped = await hub.db
      .updateTable("item")
      .set({ item_deleted: 1, item_unseen: 0, item_starred: 0, changed: now(hub) })
      .where(among(hub, "id", some))
      .returning(["uid", "message_id"])
      .execute();
    await unshareDropped(hub, dropped);
    await emitGone(
      hub,
      dropped.map((row) => row.message_id),
    );
    await dropNoticesAbout(hub, some);
  }
}

/** Whoever listens hears that copies of these messages are not to be seen any more. */
async function emitGone(hub: Hub, messages: readonly number[]): Promise<void> {
  await emit(hub, ...[...new Set(messages)].map((message) => ({ what: "gone", message }) as const));
}

/** Drops copies of whole threads, named by the ids of their tops. */
export async function dropThreads(hub: Hub, tops: number[]): Promise<void> {
  await dropItems(hub, await threadCopies(hub, tops));
}

/** Drops at most so many of these copies, the tops after their answers; answers whether that was less. */
export async function dropPartOfThreads(hub: Hub, tops: number[], most: number): Promise<boolean> {
  const some = await threadCopies(hub, tops, most);
  await dropItems(hub, some);
  return some.length < most;
}

async function threadCopies(hub: Hub, tops: number[], most?: number): Promise<number[]> {
  const copies = hub.db
    .selectFrom("item")
    .select("id")
    .where(among(hub, "parent", tops))
    .where("item_deleted", "=", 0);
  const rows = await (most === undefined ? copies : copies.orderBy("id", "desc").limit(most)).execute();
  return rows.map((row) => row.id);
}

/** The messages of whole threads, their tops included, as this channel has them. */
export async function threadMessages(hub: Hub, parents: number[]): Promise<number[]> {
  const rows = await hub.db
    .selectFrom("item")
    .select("message_id")
    .distinct()
    .where(among(hub, "parent", parents))
    .execute();
  return rows.map((row) => row.message_id);
}

async function uncount(hub: Hub, messages: number[]): Promise<void> {
  const statuses = await hub.db
    .selectFrom("item")
    .selectAll()
    .where(among(hub, "message_id", messages))
    .where("item_deleted", "=", 0)
    .where("item_origin", "=", 1)
    // What waits to be let in, or was taken off the wall, is not counted.
    .where(sql<SqlBool>`not exists (select 1 from item b where b.message_id = item.message_id and b.item_blocked > 0)`)
    // Whoever counts for several people does so in this order, and so waits for nobody who waits for them.
    .orderBy("author_id")
    .orderBy("id")
    .execute();
  const once = new Map(statuses.map((item) => [item.message_id, item]));
  for (const item of once.values()) await countStatus(hub, item, -1);
}

async function idsOf(hub: Hub, messages: number[]): Promise<number[]> {
  const rows = await hub.db
    .selectFrom("item")
    .select("id")
    .where(among(hub, "message_id", messages))
    .execute();
  return rows.map((row) => row.id);
}

function among(hub: Hub, column: string, values: readonly number[]) {
  return isOneOf(hub.engine, sql.ref(column), values);
}
