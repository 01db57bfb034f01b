import { sql } from "kysely";
import { HubError, OutOfOrder, Stopping } from "../../errors.ts";
import { NotYet } from "../../fetch/fetch.ts";
import { momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { isHubsFault } from "../../probing.ts";
import { isOneOf, sqlDate, zeroDate } from "../../storage/sql.ts";
import { withinBudget } from "../peers/fetch-budgets.ts";
import { dueArrivals } from "./due.ts";
import type { Leased, Queue } from "./worker.ts";

/** An activity that takes effect now. */
export type Arrival = Leased & {
  activityId: string;
  signer: string;
  scheme: string;
  bytes: Uint8Array;
  received: string;
  /** The channels in whose own inbox it came. */
  recipients: number[];
};

/**
 * Lets an activity take effect; called again after whatever cut it off, so every effect happens once by itself. Throws a HubError of
 * the kind `unavailable` for what may work later; any other one says that nothing comes of it.
 */
export type TakeIn = (hub: Hub, arrival: Arrival) => Promise<void>;

/** What failed for want of something of the hub's own is `outOfOrder`. */
type Failure = { kind: "again"; reason: string; outOfOrder: boolean };
type Effect = { kind: "done"; reason: string } | Failure | { kind: "later"; until: number };

const [together, perHost] = [16, 4];
/** After the last of these waits (seconds, six hours in all) it is kept with its reason, for the operator. */
const waits = [60, 600, 3600, 6 * 3600 - 4260];
/** The longest wait (seconds) for a disk, a database or files that are away: it goes on for as long as that takes. */
const longestOutOfOrder = 3600;

/** What came in. */
export function arrivals(takeIn: TakeIn): Queue<Arrival, Effect> {
  return {
    name: "arrivals",
    table: "inbox_activity",
    together,
    perHost,
    due: (hub, room) => dueArrivals(hub, room),
    load,
    run: (hub, arrival, signal) => takeEffect(hub, takeIn, arrival, signal),
    broken: (error) => ({ kind: "again", reason: String(error), outOfOrder: false }),
    settle,
  };
}

async function load(hub: Hub, ids: readonly number[]): Promise<Arrival[]> {
  const rows = await hub.db
    .selectFrom("inbox_activity")
    .select(["id", "host", "attempts", "activity_id", "signer", "scheme", "bytes", "received"])
    .where(isOneOf(hub.engine, sql.ref("id"), ids))
    .orderBy("id")
    .execute();
  const recipients = await hub.db
    .selectFrom("inbox_recipient")
    .selectAll()
    .where(isOneOf(hub.engine, sql.ref("inbox_activity"), ids))
    .orderBy("channel_id")
    .execute();
  const of = Map.groupBy(recipients, ({ inbox_activity: arrival }) => arrival);
  return rows.map(({ activity_id, bytes, ...row }) => ({
    ...row,
    activityId: activity_id,
    bytes: Buffer.from(bytes),
    recipients: (of.get(row.id) ?? []).map(({ channel_id: channel }) => channel),
  }));
}

async function takeEffect(hub: Hub, takeIn: TakeIn, arrival: Arrival, signal: AbortSignal): Promise<Effect> {
  const { id, activityId, signer, received } = arrival;
  let turn = 0;
  const later = (until: number): void => void (turn = Math.max(turn, until));
  try {
    await takeIn(withinBudget(hub, `arrival ${id} of ${received}`, later), arrival);
    // What was left out on the way has its turn then, and the rest changes nothing.
    return turn > 0 ? { kind: "later", until: turn } : { kind: "done", reason: "" };
  } catch (error) {
    if (signal.aborted) throw new Stopping();
    if (isHubsFault(error)) throw error;
    if (error instanceof NotYet) return { kind: "later", until: error.until };
    if (turn > 0) return { kind: "later", until: turn };
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    if (error instanceof HubError && error.kind !== "unavailable") {
      hub.log.debug("Nothing comes of {activityId} by {signer}: {reason}", { activityId, signer, reason });
      return { kind: "done", reason };
    }
    if (!(error instanceof HubError)) hub.log.warning("{activityId} failed: {error}", { activityId, signer, error });
    return { kind: "again", reason, outOfOrder: error instanceof OutOfOrder };
  }
}

/** The rows end after their effects have been committed: what is cut off between the two takes effect a second time, which changes nothing. */
async function settle(hub: Hub, ended: readonly { row: Arrival; end: Effect }[]): Promise<void> {
  const done = ended.flatMap(({ row, end }) => (end.kind === "done" ? [{ row, reason: end.reason }] : []));
  for (const [reason, some] of Map.groupBy(done, (one) => one.reason)) await settleDone(hub, reason, some);
  for (const { row, end } of ended) {
    if (end.kind === "again") await tryAgain(hub, row, end);
    if (end.kind === "later") await putOff(hub, row, end.until);
  }
}

/** Who got it meanwhile besides had it begin anew, which the number of attempts tells. */
async function settleDone(hub: Hub, reason: string, some: readonly { row: Arrival }[]): Promise<void> {
  for (const [attempts, rows] of Map.groupBy(some, ({ row }) => row.attempts))
    await hub.db
      .updateTable("inbox_activity")
      .set({ state: "done", bytes: "", last_error: reason.slice(0, 500), lease_until: zeroDate, ended: now(hub) })
      .where(
        isOneOf(
          hub.engine,
          sql.ref("id"),
          rows.map(({ row }) => row.id),
        ),
      )
      .where("attempts", "=", attempts)
      .where(sql<boolean>`state = 'waiting'`)
      .execute();
}

/** It has done nothing wrong, and goes on at its turn; nobody waits for that with a lease. */
async function putOff(hub: Hub, { id, attempts }: Arrival, until: number): Promise<void> {
  await hub.db
    .updateTable("inbox_activity")
    // In whole seconds, and not too soon.
    .set({ attempts: attempts - 1, lease_until: zeroDate, next_at: sqlDate(new Date(until + 999)) })
    .where("id", "=", id)
    .where("attempts", "=", attempts)
    .where(sql<boolean>`state = 'waiting'`)
    .execute();
}

async function tryAgain(
  hub: Hub,
  { id, attempts, activityId }: Arrival,
  { reason, outOfOrder }: Failure,
): Promise<void> {
  const usual = waits[attempts - 1];
  const wait = outOfOrder ? Math.min(usual ?? Infinity, longestOutOfOrder) : usual;
  const next = momentIn(hub, (wait ?? 0) * 1000);
  await hub.db
    .updateTable("inbox_activity")
    .set({ last_error: reason.slice(0, 500), lease_until: zeroDate, next_at: next })
    .set(wait === undefined ? { state: "failed", ended: now(hub) } : {})
    .set(outOfOrder ? { attempts: Math.min(attempts, waits.length) } : {})
    .where("id", "=", id)
    .where("attempts", "=", attempts)
    .where(sql<boolean>`state = 'waiting'`)
    .execute();
  if (wait === undefined) hub.log.warning("{activityId} is given up: {reason}", { activityId, reason });
}
