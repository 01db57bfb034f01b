import type { Selectable } from "kysely";
import { missing } from "../../errors.ts";
import { inTransaction, momentIn } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import { removeInSteps } from "../../storage/in-steps.ts";
import type { WebhookDeliveryTable } from "../../storage/tables/webhooks.ts";
import { webhookLane } from "./queue-webhooks.ts";
import { dropFormerSecrets, dropWebhooksOfNobody, findWebhook } from "./webhooks.ts";
import type { Webhook } from "./webhooks.ts";

/** How far something that a webhook is told has come; withdrawn: its owner may not see it any more, or it is gone. */
export const deliveryStates = ["waiting", "delivered", "given-up", "withdrawn"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export type WebhookDelivery = Omit<Selectable<WebhookDeliveryTable>, "state"> & { state: DeliveryState };

/** So many are shown. */
const mostShown = 50;

/** What a webhook was told last, the newest first. */
export async function listWebhookDeliveries(hub: Hub, { id }: Pick<Webhook, "id">): Promise<WebhookDelivery[]> {
  const rows = await hub.db
    .selectFrom("webhook_delivery")
    .selectAll()
    .where("webhook_id", "=", id)
    .orderBy("id", "desc")
    .limit(mostShown)
    .execute();
  return rows.map(deliveryOf);
}

function deliveryOf(row: Selectable<WebhookDeliveryTable>): WebhookDelivery {
  return { ...row, state: deliveryStates.find((state) => state === row.state) ?? "given-up" };
}

/** Tells it once more, under the same name, at once, and once only if it is older than a day. Throws missing for what another webhook was told. */
export async function sendAgain(hub: Hub, uid: number, webhook: number, delivery: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const { id } = await findWebhook(hub, uid, webhook);
    const again = await hub.db
      .updateTable("webhook_delivery")
      .set((eb) => ({ state: "waiting", turn: eb("turn", "+", 1) }))
      .where("id", "=", delivery)
      .where("webhook_id", "=", id)
      .returning("turn")
      .executeTakeFirst();
    if (!again) throw missing("Webhook");
    await addJob(hub, "send-webhook", { delivery, turn: again.turn, byHand: true }, { lane: webhookLane(uid) });
  });
}

const keptFor = 14 * 24 * 3600_000;

/** Forgets what was told long ago, secrets of before, and the webhooks of channels that are gone; a scheduled job does this. */
export async function trimWebhooks(hub: Hub): Promise<void> {
  await dropWebhooksOfNobody(hub);
  await dropFormerSecrets(hub);
  const oldest = momentIn(hub, -keptFor);
  const old = hub.db.selectFrom("webhook_delivery").select("id").where("created", "<", oldest);
  await removeInSteps((most) =>
    hub.db.deleteFrom("webhook_delivery").where("id", "in", old.limit(most)).executeTakeFirst(),
  );
}
