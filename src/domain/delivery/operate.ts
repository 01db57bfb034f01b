import { sql } from "kysely";
import type { RawBuilder, Selectable, SqlBool } from "kysely";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { isOneOf, zeroDate } from "../../storage/sql.ts";
import type { DeliveryTable, InboxActivityTable } from "../../storage/tables/delivery.ts";
import { probeSoon } from "../peers/circuits.ts";
import { wakeAfterCommit } from "./bells.ts";

/** What operators see and do about the queues. */

/** Which rows: those of these numbers, or those to this host, or with neither all that the verb is about. */
export type Chosen = { ids?: readonly number[]; host?: string };

const mostListed = 1000;
export const deliveryStates = ["waiting", "held", "failed", "given up", "done"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** As the index of what has not been sent says it: SQLite looks there for nothing that is said otherwise. */
const isUnsent = sql<SqlBool>`state in ('failed', 'given up', 'held')`;

function isIn(state: DeliveryState): RawBuilder<SqlBool> {
  const isSo = sql<SqlBool>`state = ${sql.lit(state)}`;
  return state === "waiting" || state === "done" ? isSo : sql<SqlBool>`(${isUnsent} and ${isSo})`;
}

export type ListedDelivery = { deed: string } & Pick<
  Selectable<DeliveryTable>,
  "id" | "host" | "inbox" | "state" | "attempts" | "next_at" | "last_status" | "last_error" | "created"
>;

/** Deliveries in this state, oldest first, without what is sent. */
export async function listDeliveries(hub: Hub, state: DeliveryState, host?: string): Promise<ListedDelivery[]> {
  let rows = hub.db
    .selectFrom("delivery")
    .innerJoin("outbox_activity", "outbox_activity.id", "delivery.activity")
    .select(["delivery.id", "deed", "host", "inbox", "state", "attempts", "next_at", "last_status", "last_error"])
    .select("delivery.created")
    .where(isIn(state))
    .orderBy("delivery.id")
    .limit(mostListed);
  if (host !== undefined) rows = rows.where("host", "=", host);
  return rows.execute();
}

/** Sends again what failed, was given up or is held; answers how much that is. */
export async function retryDeliveries(hub: Hub, chosen: Chosen = {}): Promise<number> {
  return sendAgain(hub, chosen, isUnsent);
}

/** Sends what is held since the hub was restored, and nothing else; answers how much that is. */
export async function retryHeld(hub: Hub): Promise<number> {
  return sendAgain(hub, {}, isIn("held"));
}

async function sendAgain(hub: Hub, chosen: Chosen, states: RawBuilder<SqlBool>): Promise<number> {
  const moment = now(hub);
  return inTransaction(hub, async (hub) => {
    const { numUpdatedRows } = await chosenRows(hub, chosen)
      .set({ state: "waiting", attempts: 0, created: moment, next_at: moment, last_error: "", ended: zeroDate })
      .where(states)
      .executeTakeFirst();
    wakeAfterCommit(hub, "outgoing");
    return Number(numUpdatedRows);
  });
}

/** Has what waits for a host tried now, whatever it waits for; answers how much that is. */
export async function hurryDeliveries(hub: Hub, host: string): Promise<number> {
  return inTransaction(hub, async (hub) => {
    await probeSoon(hub, host);
    const { numUpdatedRows } = await chosenRows(hub, { host })
      .set({ next_at: now(hub) })
      .where(sql<SqlBool>`state = 'waiting'`)
      .executeTakeFirst();
    wakeAfterCommit(hub, "outgoing");
    return Number(numUpdatedRows);
  });
}

/** Gives up what waits or is held; with neither numbers nor a host only what is held. Answers how much that is. */
export async function dropDeliveries(hub: Hub, chosen: Chosen = {}): Promise<number> {
  const isAll = chosen.ids === undefined && chosen.host === undefined;
  const states = isAll ? isIn("held") : sql<SqlBool>`state in ('waiting', 'held')`;
  const { numUpdatedRows } = await chosenRows(hub, chosen)
    .set({ state: "given up", last_error: "dropped", ended: now(hub) })
    .where(states)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

function chosenRows(hub: Hub, { ids, host }: Chosen) {
  let rows = hub.db.updateTable("delivery");
  if (ids) rows = rows.where(isOneOf(hub.engine, sql.ref("id"), ids));
  return host === undefined ? rows : rows.where("host", "=", host);
}

/** How many deliveries are held since the hub was restored from a backup. */
export async function countHeld({ db }: Pick<Hub, "db">): Promise<number> {
  const { count } = await db
    .selectFrom("delivery")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where(isIn("held"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Nothing that had not gone out at the moment of a backup goes out again by itself (federation contract 18.1). */
export async function holdDeliveries({ db }: Pick<Hub, "db">): Promise<void> {
  const back = { lease_until: zeroDate };
  await db
    .updateTable("delivery")
    .set({ state: "held", ...back })
    .where(sql<SqlBool>`state = 'waiting'`)
    .execute();
  await db
    .updateTable("inbox_activity")
    .set(back)
    .where(sql<SqlBool>`state = 'waiting'`)
    .execute();
}

const arrivalStates = ["waiting", "failed"] as const;
export type ArrivalState = (typeof arrivalStates)[number];

export type ListedArrival = Pick<
  Selectable<InboxActivityTable>,
  "id" | "activity_id" | "signer" | "state" | "attempts" | "received" | "next_at" | "last_error"
>;

/** What came in and has not taken effect, oldest first, without what it says; `after` is the last one of the page before. */
export async function listArrivals(
  hub: Hub,
  state: ArrivalState,
  { after = 0, count = mostListed }: { after?: number; count?: number } = {},
): Promise<ListedArrival[]> {
  return hub.db
    .selectFrom("inbox_activity")
    .select(["id", "activity_id", "signer", "state", "attempts", "received", "next_at", "last_error"])
    .where(sql<SqlBool>`state = ${sql.lit(state)}`)
    .where("id", ">", after)
    .orderBy("id")
    .limit(count)
    .execute();
}

/** Has another round of attempts made of what could not take effect; of all when no numbers are given. Answers how much that is. */
export async function retryArrivals(hub: Hub, ids?: readonly number[]): Promise<number> {
  return inTransaction(hub, async (hub) => {
    let rows = hub.db.updateTable("inbox_activity").where(sql<SqlBool>`state = 'failed'`);
    if (ids) rows = rows.where(isOneOf(hub.engine, sql.ref("id"), ids));
    const { numUpdatedRows } = await rows
      .set({ state: "waiting", attempts: 0, next_at: now(hub), ended: zeroDate })
      .executeTakeFirst();
    wakeAfterCommit(hub, "arrivals");
    return Number(numUpdatedRows);
  });
}
