import { createHash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { inPieces, isOneOf } from "../../storage/sql.ts";
import { storedJson } from "../../stored-json.ts";
import { isOfItems, testEvent } from "./webhook-events.ts";
import type { WebhookEvent } from "./webhook-events.ts";

/** Something that has happened for a channel; `subject` is the id of what it is about. */
export type Happening = { uid: number; event: WebhookEvent; subject: number };

/** Adds what webhooks of these channels are to be told; part of the transaction in which it happens. */
export async function queueWebhooks(hub: Hub, happenings: readonly Happening[]): Promise<void> {
  if (happenings.length === 0) return;
  const uids = [...new Set(happenings.map(({ uid }) => uid))];
  const webhooks = await compiled(hub, "webhooks of channels", { uids }, (slots) =>
    hub.db
      .selectFrom("webhook")
      .select(["id", "uid", "events"])
      .where(isOneOf(hub.engine, sql.ref("uid"), slots.uids))
      .where("is_on", "=", sql.lit(1)),
  );
  const wanted = webhooks.map((webhook) => ({ ...webhook, events: new Set(storedJson<string[]>(webhook.events)) }));
  await queue(
    hub,
    happenings.flatMap(({ uid, event, subject }) =>
      wanted
        .filter((webhook) => webhook.uid === uid && webhook.events.has(event))
        .map(({ id }) => ({ webhook_id: id, uid, event, subject, name: nameOf(id, event, subject) })),
    ),
  );
}

/** Adds a test for a webhook of the channel. */
export async function queueTest(hub: Hub, webhook: { id: number; uid: number }): Promise<void> {
  const name = `msg_${randomUUID()}`;
  await queue(hub, [{ webhook_id: webhook.id, uid: webhook.uid, event: testEvent, subject: 0, name }]);
}

type NewDelivery = { webhook_id: number; uid: number; event: string; subject: number; name: string };

async function queue(hub: Hub, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  const owners = new Map(deliveries.map(({ webhook_id, uid }) => [webhook_id, uid]));
  const told = { state: "waiting", created: now(hub) };
  await inTransaction(hub, async (hub) => {
    for (const piece of inPieces(deliveries.map(({ uid: _uid, ...delivery }) => ({ ...delivery, ...told })))) {
      const rows = await hub.db
        .insertInto("webhook_delivery")
        .values(piece)
        .onConflict((conflict) => conflict.doNothing())
        .returning(["id", "webhook_id"])
        .execute();
      for (const { id, webhook_id } of rows)
        await addJob(hub, "send-webhook", { delivery: id }, { lane: webhookLane(owners.get(webhook_id)!) });
    }
  });
}

/**
 * An item is told once, however often it is said that it has come. By the name the receiver knows a request that is made again.
 */
function nameOf(webhook: number, event: WebhookEvent, subject: number): string {
  if (!isOfItems(event)) return `msg_${randomUUID()}`;
  return `msg_${createHash("sha256").update(`${webhook} ${event} ${subject}`).digest("hex").slice(0, 32)}`;
}

/** Receivers that take their time keep no more than two workers, and so no other work from being done. */
export function webhookLane(uid: number): string {
  return `webhooks ${uid % 2}`;
}
