import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { missing } from "../../../errors.ts";
import { causedBy, inTransaction, momentIn, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { JobPayload } from "../../../jobs/kinds.ts";
import { addJob } from "../../../jobs/queue.ts";
import { sqlDate, zeroDate } from "../../../storage/sql.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { observerOf } from "../../identity/channels/observer.ts";
import { findXchan } from "../../identity/xchans/xchans.ts";
import { findThread } from "./place.ts";
import { anyCopyOf, findVisibleItem } from "../find.ts";
import type { ItemRef } from "../find.ts";
import type { Item } from "../types.ts";

/** Fetching what is missing of a public thread of another hub (federation contract 6.6). */

/** What is being fetched of a thread, or was for the last time; dates in the stored form. */
export type ThreadFetch = {
  started: string;
  isUnderWay: boolean;
  /** How many answers came that were not here. */
  came: number;
  /** May somebody have it fetched again? */
  isOver: boolean;
};

/**
 * The thread whose answers are fetched, by the message of its top; and where the fetching has come to. `watched` says how often it was
 * fetched since a member has looked at it; absent where none has.
 */
export type Fetching = JobPayload<"fetch-answers">;
export type Walk = NonNullable<Fetching["walk"]>;

const minute = 60_000;
/** The same thread is not fetched more often than this. */
const pause = 10 * minute;
/** What takes longer than this has been lost. */
const longest = 60 * minute;
/** A thread at which a member has looked is fetched again after each of these times, in minutes, as long as it is here. */
const watching = [10, 30, 4 * 60, 24 * 60];

/**
 * Has the answers of a thread fetched that this channel sees, unless that was done a short while ago. Throws missing: there is no
 * such thread, or it is not one of another hub that is for everybody.
 */
export async function fetchMissing(hub: Hub, channel: Channel, ref: ItemRef): Promise<void> {
  const top = await findVisibleItem(hub, observerOf(channel), ref);
  if (!(await isFetchable(hub, top))) throw missing("Item");
  await inTransaction(causedBy(hub, `answers ${randomUUID()}`), async (hub) => {
    if (await claim(hub, top.message_id)) await addJob(hub, "fetch-answers", { message: top.message_id, watched: 0 });
  });
}

/** May the fetching of a watched thread begin once more? Not where somebody has had it fetched a short while ago. */
export async function beginAgain(hub: Hub, messageId: number): Promise<boolean> {
  return inTransaction(hub, (hub) => claim(hub, messageId));
}

/** The same of a thread that is here and that somebody elsewhere shares, by the id of its top: there is talk of it now. */
export async function fetchShared(hub: Hub, id: string): Promise<void> {
  const thread = await findThread(hub, id);
  if (!thread || thread.answered.id !== thread.top.id || !(await isFetchable(hub, thread.top))) return;
  const message = thread.top.message_id;
  await inTransaction(hub, async (hub) => {
    if (await claim(hub, message)) await addJob(hub, "fetch-answers", { message });
  });
}

/** Can its answers be asked for: is it the top of a thread of another hub, and for everybody? */
export async function isFetchable(hub: Hub, top: Item): Promise<boolean> {
  if (top.item_thread_top === 0 || top.item_private !== 0) return false;
  const owner = await findXchan(hub, { id: top.owner_id });
  return owner?.xchan_network === "activitypub";
}

async function claim(hub: Hub, message_id: number): Promise<boolean> {
  const started = now(hub);
  const before = (time: number): string => momentIn(hub, -time);
  const claimed = await hub.db
    .insertInto("thread_fetch")
    .values({ message_id, started, ended: zeroDate, came: 0 })
    .onConflict((conflict) =>
      conflict
        .column("message_id")
        .doUpdateSet({ started, ended: zeroDate, came: 0 })
        .where(
          sql<SqlBool>`thread_fetch.started <= ${before(longest)} or (thread_fetch.started <= ${before(pause)}
            and thread_fetch.ended <> ${zeroDate})`,
        ),
    )
    .returning("message_id")
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Undefined where nothing was ever fetched of it. */
export async function threadFetchOf(hub: Hub, messageId: number): Promise<ThreadFetch | undefined> {
  const row = await hub.db
    .selectFrom("thread_fetch")
    .selectAll()
    .where("message_id", "=", messageId)
    .executeTakeFirst();
  if (!row) return undefined;
  const before = (time: number): boolean => row.started <= momentIn(hub, -time);
  const isUnderWay = row.ended === zeroDate && !before(longest);
  return { started: row.started, isUnderWay, came: row.came, isOver: !isUnderWay && before(pause) };
}

/** The thread whose answers are fetched; undefined where it is not here any more. */
export async function findFetchable(hub: Hub, messageId: number): Promise<Item | undefined> {
  const top = await anyCopyOf(hub, messageId);
  return top && (await isFetchable(hub, top)) ? top : undefined;
}

/** One more answer has come. */
export async function recordCame(hub: Hub, messageId: number): Promise<void> {
  await hub.db
    .updateTable("thread_fetch")
    .set({ came: sql`came + 1` })
    .where("message_id", "=", messageId)
    .execute();
}

/** There is more to ask for, at this moment. Run again it adds nothing. */
export async function fetchFurther(hub: Hub, fetching: Fetching & { walk: Walk }, at: number): Promise<void> {
  const { message, walk } = fetching;
  const later = sqlDate(new Date(Math.max(at, hub.clock().getTime())));
  await addJob(hub, "fetch-answers", fetching, { at: later, key: `fetch-answers ${message} ${walk.step}` });
}

/** There is nothing more for now. */
export async function endFetch(hub: Hub, fetching: Fetching): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await hub.db
      .updateTable("thread_fetch")
      .set({ ended: now(hub) })
      .where("message_id", "=", fetching.message)
      .execute();
    await watchOn(hub, fetching);
  });
}

/** Has a watched thread fetched again after a while; in the end nobody looks any more. */
export async function watchOn(hub: Hub, { message, watched }: Fetching): Promise<void> {
  const wait = watched === undefined ? undefined : watching[watched];
  if (watched === undefined || wait === undefined) return;
  const next = watched + 1;
  const options = { at: momentIn(hub, wait * minute), key: `watch ${message} ${next}` };
  await addJob(causedBy(hub, `answers ${randomUUID()}`), "fetch-answers", { message, watched: next }, options);
}
