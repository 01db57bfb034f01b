import { createHmac } from "node:crypto";
import { RefusedAddress } from "../../fetch/fetch.ts";
import { inTransaction, momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { JobPayload } from "../../jobs/kinds.ts";
import { addJob } from "../../jobs/queue.ts";
import { fromSqlDate, zeroDate } from "../../storage/sql.ts";
import type { Caller } from "../identity/accounts/caller.ts";
import { findCaller } from "../identity/accounts/log-in.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findChannelById } from "../identity/channels/find-channel.ts";
import { unlock } from "../identity/site/locked.ts";
import { webhookLane } from "./queue-webhooks.ts";
import { testEvent } from "./webhook-events.ts";
import type { DeliveryState } from "./webhook-deliveries.ts";
import { lockedAs } from "./webhooks.ts";

/** Makes what the owner of a webhook may see of an event; undefined where that is nothing, or nothing any more. */
export type ComposeEvent = (hub: Hub, owner: Caller, event: string, subject: number) => Promise<object | undefined>;

export type Sending = { compose: ComposeEvent; notifySwitchedOff: (hub: Hub, owner: Channel) => Promise<void> };

/** Seconds until the next attempt, of one event and of a webhook that does not answer: a day in all. */
const pauses = [5, 30, 120, 600, 3600, 3 * 3600, 6 * 3600, 6 * 3600, 6 * 3600];
/** Something is given up after so many milliseconds. */
const longest = 24 * 3600_000;
/** After so many failures in a row nothing is sent any more: with the pauses it was away for a day. */
export const mostFailures = 10;
const mostSeconds = 10;

/**
 * The job that tells a webhook one event. What it says is made now, with the eyes of the owner, so nothing is told that they may not see, or
 * that has been taken back meanwhile. May run twice: both requests have the same name.
 */
export async function sendWebhook(hub: Hub, payload: JobPayload<"send-webhook">, sending: Sending): Promise<void> {
  const due = await findDue(hub, payload);
  if (!due) return;
  const isTest = due.event === testEvent;
  if (due.is_on === 0 && !isTest) return settle(hub, due, "given-up");
  if (due.resting_until > now(hub) && !isTest && !payload.byHand) return addAgain(hub, due, due.resting_until);
  const channel = await findChannelById(hub, due.uid);
  const owner = channel && (await findCaller(hub, channel.channel_account_id, due.uid));
  const data = owner && (isTest ? {} : await sending.compose(hub, owner, due.event, due.subject));
  const secrets = await secretsOf(hub, due);
  if (!data) return settle(hub, due, "withdrawn");
  if (secrets.length === 0) return settle(hub, due, "given-up", { status: 0, error: "The secret cannot be read" });
  const outcome = await send(hub, due, secrets, data);
  if (outcome.isTaken) return succeeded(hub, due, outcome);
  if (isTest) return settle(hub, due, "given-up", outcome);
  await failed(hub, due, outcome, (hub) => sending.notifySwitchedOff(hub, owner.channel));
}

type Due = NonNullable<Awaited<ReturnType<typeof findDue>>>;

async function findDue(hub: Hub, { delivery, turn = 0 }: JobPayload<"send-webhook">) {
  return hub.db
    .selectFrom("webhook_delivery as d")
    .innerJoin("webhook as w", "w.id", "d.webhook_id")
    .select(["d.id", "d.webhook_id", "d.name", "d.event", "d.subject", "d.attempts", "d.turn", "d.created"])
    .select(["w.uid", "w.url", "w.secret", "w.former_secret", "w.former_until"])
    .select(["w.is_on", "w.failures", "w.resting_until"])
    .where("d.id", "=", delivery)
    .where("d.state", "=", "waiting")
    .where("d.turn", "=", turn)
    .executeTakeFirst();
}

/** What it is signed with now, as far as that can be read: its secret, and for a while the one before. */
async function secretsOf(hub: Hub, { secret, former_secret, former_until }: Due): Promise<string[]> {
  const locked = former_until > now(hub) ? [secret, former_secret] : [secret];
  const read = await Promise.all(locked.map((one) => unlock(hub, lockedAs, one)));
  return read.filter((one) => one !== undefined);
}

type Outcome = { status: number; error: string; isTaken?: true; isFinal?: boolean };

/** By Standard Webhooks: name, seconds and body are signed, once with each secret. */
async function send(
  hub: Hub,
  { url, name, event, created }: Due,
  secrets: readonly string[],
  data: object,
): Promise<Outcome> {
  const body = JSON.stringify({ type: event, timestamp: fromSqlDate(created).toISOString(), data });
  const seconds = String(Math.floor(hub.clock().getTime() / 1000));
  try {
    const answer = await hub.fetch(url, {
      method: "POST",
      purpose: "delivery",
      body,
      headers: {
        "content-type": "application/json",
        "webhook-id": name,
        "webhook-timestamp": seconds,
        "webhook-signature": secrets.map((secret) => signature(secret, `${name}.${seconds}.${body}`)).join(" "),
      },
      signal: AbortSignal.timeout(mostSeconds * 1000),
    });
    await answer.body?.cancel();
    const { status } = answer;
    if (status >= 200 && status < 300) return { status, error: "", isTaken: true };
    return { status, error: "", isFinal: status === 410 };
  } catch (error) {
    return { status: 0, error: error instanceof RefusedAddress ? error.message : "The address does not answer" };
  }
}

function signature(secret: string, text: string): string {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  return `v1,${createHmac("sha256", key).update(text).digest("base64")}`;
}

async function settle(hub: Hub, { id }: Due, state: DeliveryState, outcome?: Outcome): Promise<void> {
  await hub.db
    .updateTable("webhook_delivery")
    .set({ state, ...(outcome && { ...tried(hub, outcome) }) })
    .where("id", "=", id)
    .execute();
}

function tried(hub: Hub, { status, error }: Outcome) {
  return { status, error: error.slice(0, 500), tried: now(hub) };
}

async function succeeded(hub: Hub, due: Due, outcome: Outcome): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await hub.db
      .updateTable("webhook_delivery")
      .set({ state: "delivered", attempts: due.attempts + 1, ...tried(hub, outcome) })
      .where("id", "=", due.id)
      .execute();
    if (due.failures > 0) await setWebhook(hub, due, { failures: 0, resting_until: zeroDate });
  });
}

async function failed(
  hub: Hub,
  due: Due,
  outcome: Outcome,
  notifySwitchedOff: (hub: Hub) => Promise<void>,
): Promise<void> {
  const failures = due.failures + 1;
  const isOff = outcome.isFinal === true || failures >= mostFailures;
  const next = momentIn(hub, 1000 * pauses[Math.min(due.attempts, pauses.length - 1)]!);
  const last = momentIn({ clock: () => fromSqlDate(due.created) }, longest);
  const isOver = isOff || next > last;
  await inTransaction(hub, async (hub) => {
    await hub.db
      .updateTable("webhook_delivery")
      .set({ state: isOver ? "given-up" : "waiting", attempts: due.attempts + 1, ...tried(hub, outcome) })
      .where("id", "=", due.id)
      .execute();
    const rest = momentIn(hub, 1000 * pauses[Math.min(due.failures, pauses.length - 1)]!);
    await setWebhook(hub, due, { failures, resting_until: rest, ...(isOff && { is_on: 0 }) });
    if (isOff && due.is_on === 1) await notifySwitchedOff(hub);
    if (!isOver) await addAgain(hub, due, next);
  });
}

async function setWebhook(
  hub: Hub,
  { webhook_id }: Due,
  values: { failures: number; resting_until: string; is_on?: number },
): Promise<void> {
  await hub.db.updateTable("webhook").set(values).where("id", "=", webhook_id).execute();
}

async function addAgain(hub: Hub, { id, uid, turn }: Due, at: string): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await hub.db
      .updateTable("webhook_delivery")
      .set({ turn: turn + 1 })
      .where("id", "=", id)
      .execute();
    await addJob(hub, "send-webhook", { delivery: id, turn: turn + 1 }, { at, lane: webhookLane(uid) });
  });
}
