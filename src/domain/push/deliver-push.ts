import { sql } from "kysely";
import { RefusedAddress } from "../../fetch/fetch.ts";
import { inTransaction, momentIn } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { JobPayload } from "../../jobs/kinds.ts";
import { addJob } from "../../jobs/queue.ts";
import { longestMessage, seal, sealAsDraft } from "./encrypt.ts";
import { dropSubscription, subscriptionById } from "./subscriptions.ts";
import type { Subscription } from "./subscriptions.ts";
import { vapidKeys, vapidToken } from "./vapid.ts";

/**
 * What a device is told: the text for the program there; and under which name that program asks for it, and by whom it was caused, where it
 * has a say in that besides what the channel has chosen.
 */
export type PushMessage = { urgent: boolean; text: string; asked?: { alert: string; actor: number } };

/** Makes the message of a notice for this device; undefined where its reader is not to hear of it, or not any more. */
export type ComposePush = (hub: Hub, device: Subscription, notice: number) => Promise<PushMessage | undefined>;

/** Who composes, by what a subscription belongs to. */
export type Composers = Readonly<Record<"token" | "session", ComposePush>>;

/** Seconds that a push service keeps a message for a device that is off. */
const kept = 48 * 3600;
/** Seconds until the next attempt (Mastodon contract 15). */
const waits = [60, 300, 1800, 3 * 3600];
/** After so many failures in a row a device is given up. */
const mostFailures = 10;
const mostSeconds = 10;

/**
 * The job that tells one device of one notice. What it says is made now, so nothing is told that has been taken back meanwhile. May run twice:
 * the push service puts the second message of a topic into the place of the first.
 */
export async function deliverPush(hub: Hub, payload: JobPayload<"push">, composers: Composers): Promise<void> {
  const device = await subscriptionById(hub, payload.subscription);
  if (!device || device.policy === "none") return;
  const compose = composers[device.token_id > 0 ? "token" : "session"];
  const message = await compose(hub, device, payload.notice);
  if (!message || !(await fits(hub, device, message))) return;
  const outcome = await send(hub, device, message, payload.notice);
  if (outcome === "gone") await dropSubscription(hub, device.id);
  else if (outcome !== "taken") await failed(hub, device, payload, outcome);
  else if (device.failures > 0) await note(hub, device.id, 0, "");
}

/** Does the program on the device ask for it? */
async function fits(hub: Hub, { uid, policy, alerts }: Subscription, { asked }: PushMessage): Promise<boolean> {
  if (!asked) return true;
  if (alerts[asked.alert] !== true) return false;
  if (policy === "all") return true;
  const column = policy === "followed" ? "follow_out" : "follow_in";
  const row = await hub.db
    .selectFrom("abook")
    .innerJoin("xchan", "xchan.xchan_hash", "abook.abook_xchan")
    .select("abook_id")
    .where("abook_channel", "=", uid)
    .where("xchan.xchan_id", "=", asked.actor)
    .where(sql.ref(column), "=", "accepted")
    .executeTakeFirst();
  return row !== undefined;
}

type Outcome = "taken" | "gone" | { error: string; isFinal: boolean };

async function send(hub: Hub, device: Subscription, message: PushMessage, notice: number): Promise<Outcome> {
  const receiver = { p256dh: Buffer.from(device.p256dh, "base64url"), auth: Buffer.from(device.auth, "base64url") };
  const { body, headers } = (device.standard === 1 ? seal : sealAsDraft)(cut(message.text), receiver);
  const keys = await vapidKeys(hub);
  const token = await vapidToken(hub, keys, device.endpoint);
  const signed: Record<string, string> =
    device.standard === 1
      ? { authorization: `vapid t=${token}, k=${keys.publicKey}` }
      : { authorization: `WebPush ${token}`, "crypto-key": `${headers["crypto-key"]};p256ecdsa=${keys.publicKey}` };
  try {
    const answer = await hub.fetch(device.endpoint, {
      method: "POST",
      purpose: "delivery",
      body,
      headers: {
        ...headers,
        ...signed,
        "content-type": "application/octet-stream",
        ttl: String(kept),
        urgency: message.urgent ? "high" : "normal",
        topic: `n${notice}`,
      },
      signal: AbortSignal.timeout(mostSeconds * 1000),
    });
    await answer.body?.cancel();
    return outcomeOf(answer.status);
  } catch (error) {
    return { error: error instanceof Error ? error.message : "unknown", isFinal: error instanceof RefusedAddress };
  }
}

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return "taken";
  const isLater = status === 408 || status === 429 || status >= 500;
  if (!isLater && status >= 400) return "gone";
  return { error: `The push service answered ${status}`, isFinal: !isLater };
}

async function failed(
  hub: Hub,
  { id, failures }: Subscription,
  payload: JobPayload<"push">,
  { error, isFinal }: Exclude<Outcome, string>,
): Promise<void> {
  if (isFinal || failures + 1 >= mostFailures) return dropSubscription(hub, id);
  const { attempt = 0 } = payload;
  const wait = waits[attempt];
  await inTransaction(hub, async (hub) => {
    await note(hub, id, failures + 1, error);
    if (wait === undefined) return;
    await addJob(hub, "push", { ...payload, attempt: attempt + 1 }, { at: momentIn(hub, wait * 1000) });
  });
}

async function note(hub: Hub, id: number, failures: number, error: string): Promise<void> {
  await hub.db
    .updateTable("push_subscription")
    .set({ failures, last_error: error.slice(0, 500) })
    .where("id", "=", id)
    .execute();
}

/** Whoever composes keeps it short; what is longer all the same could not be taken. */
function cut(text: string): string {
  if (Buffer.byteLength(text) > longestMessage) throw new Error("A push message is too long");
  return text;
}
