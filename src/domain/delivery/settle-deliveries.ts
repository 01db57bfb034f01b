import { sql } from "kysely";
import type { Updateable } from "kysely";
import { momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { compiledQuery } from "../../storage/compiled-query.ts";
import { pipelined } from "../../storage/pipelined.ts";
import { isOneOf, zeroDate } from "../../storage/sql.ts";
import type { DeliveryTable } from "../../storage/tables/delivery.ts";
import { recordAnswers, recordFailure, recordRefusal } from "../peers/circuits.ts";
import { recordRefusals, recordScheme } from "../peers/schemes.ts";
import { waitAfter } from "./answers.ts";
import type { End, Reason } from "./answers.ts";
import type { Delivery } from "./delivery.ts";
import { giveUpHost, release } from "./hosts.ts";
import { readdress } from "./readdress.ts";
import { doubtful, parked } from "./states.ts";

type Ended = { row: Delivery; end: End };
type EndOf<K extends End["kind"]> = Extract<End, { kind: K }>;

const giveUpAfterSeconds = 7 * 24 * 3600;
/** A signature that was refused is tried again after so long, and once more after that: within a day (federation contract 12.2). */
const [afterRefusal, afterSecond] = [4 * 3600, 20 * 3600];

/** Writes down what came of requests, and what that says about their hosts; part of a transaction. */
export async function settleDeliveries(hub: Hub, ended: readonly Ended[]): Promise<void> {
  await settleDone(
    hub,
    ended.filter(({ end }) => end.kind === "done"),
  );
  const hosts = new Set(ended.filter(({ end }) => end.status > 0 && !isBlamed(end)).map(({ row }) => row.host));
  for (const host of await recordAnswers(hub, [...hosts])) await release(hub, host);
  await recordSchemes(hub, ended);
  // In one order, so that two workers who write down the same hosts do not wait for each other.
  const inOrder = ended.toSorted((a, b) => (a.row.host < b.row.host ? -1 : 1));
  for (const [host, [first]] of Map.groupBy(inOrder.filter(isNotTaken), ({ row }) => row.host))
    await recordRefusal(hub, host, first!.end.status);
  for (const one of inOrder) await settleOther(hub, one);
}

/** Did the host answer that it does not want it? That somebody there is gone says nothing of the host. */
function isNotTaken({ end }: Ended): boolean {
  return end.kind === "refused" || (end.kind === "failed" && end.reason === "status");
}

function isBlamed(end: End): boolean {
  return end.kind === "again" && end.blames;
}

/** Mostly all is well, and then it is one statement. */
async function settleDone(hub: Hub, done: readonly Ended[]): Promise<void> {
  const ended = now(hub);
  for (const [status, some] of Map.groupBy(done, ({ end }) => end.status)) {
    const ids = some.map(({ row }) => row.id);
    const change = compiledQuery(hub, "deliveries done", { ids, status, ended }, (slots) =>
      hub.db
        .updateTable("delivery")
        .set({ state: "done", last_status: slots.status, last_error: "", lease_until: zeroDate, ended: slots.ended })
        .where(isOneOf(hub.engine, sql.ref("id"), slots.ids))
        .where(sql<boolean>`state = 'waiting'`),
    );
    await pipelined(hub, change);
  }
}

async function recordSchemes(hub: Hub, ended: readonly Ended[]): Promise<void> {
  for (const [host, some] of Map.groupBy(ended, ({ row }) => row.host)) {
    const taken = some.find(({ end, row }) => end.kind === "done" && end.scheme !== "" && end.scheme !== row.scheme);
    if (taken) await recordScheme(hub, host, taken.end.scheme);
    const refused = some.filter(({ end, row }) => end.kind === "refused" && row.scheme !== "");
    if (refused.length > 0) await recordRefusals(hub, host, refused.length);
  }
}

async function settleOther(hub: Hub, { row, end }: Ended): Promise<void> {
  switch (end.kind) {
    case "done":
      return;
    case "failed":
      return fail(hub, row, end.status, end.reason);
    case "refused":
      return settleRefused(hub, row, end);
    case "readdress":
      return settleMoved(hub, row, end);
    case "again":
      return tryAgain(hub, row, end);
  }
}

/** What comes twice from one person is refused for good only after a day: keys are read late, and clocks set right. */
async function settleRefused(hub: Hub, row: Delivery, { status }: EndOf<"refused">): Promise<void> {
  if (row.lastError === "refused_again") return fail(hub, row, status, "refused");
  const isSecond = row.lastError === "refused";
  await change(hub, row, {
    last_status: status,
    last_error: isSecond ? "refused_again" : "refused",
    next_at: momentIn(hub, 1000 * (isSecond ? afterSecond : afterRefusal)),
    lease_until: zeroDate,
  });
}

/** Whoever has another inbox gets it there, once. */
async function settleMoved(hub: Hub, row: Delivery, { status, reason }: EndOf<"readdress">): Promise<void> {
  const isSecond = row.lastError === "moved";
  if (isSecond || !(await readdress(hub, row, { forgets: reason === "gone" }))) await fail(hub, row, status, reason);
}

async function tryAgain(hub: Hub, row: Delivery, end: EndOf<"again">): Promise<void> {
  const state = end.blames ? await recordFailure(hub, row.host, end.detail, row.isProbe) : "good";
  const again = { last_status: end.status, last_error: end.reason, lease_until: zeroDate, priority: doubtful };
  if (state === "dead") {
    const count = await giveUpHost(hub, row.host);
    hub.log.warning("{host} has not answered for 14 days: {count} deliveries are dropped", { host: row.host, count });
  } else if (state === "open") {
    await change(hub, row, { ...again, next_at: parked });
    await hub.db
      .updateTable("delivery")
      .set({ next_at: parked })
      .where("host", "=", row.host)
      .where(sql<boolean>`state = 'waiting'`)
      .execute();
  } else if (row.created <= momentIn(hub, -giveUpAfterSeconds * 1000)) {
    await change(hub, row, { ...again, state: "given up", last_error: "too_late", ended: now(hub) });
  } else {
    await change(hub, row, { ...again, next_at: momentIn(hub, 1000 * Math.max(waitAfter(row.attempts), end.after)) });
  }
}

function fail(hub: Hub, row: Delivery, status: number, reason: Reason): Promise<void> {
  const ended = now(hub);
  return change(hub, row, { state: "failed", last_status: status, last_error: reason, lease_until: zeroDate, ended });
}

/** A worker that was away for too long has lost the row to another one, and decides nothing about it any more. */
async function change(hub: Hub, { id, attempts }: Delivery, changes: Updateable<DeliveryTable>): Promise<void> {
  await hub.db
    .updateTable("delivery")
    .set(changes)
    .where("id", "=", id)
    .where("attempts", "=", attempts)
    .where(sql<boolean>`state = 'waiting'`)
    .execute();
}
