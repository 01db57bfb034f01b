import { z } from "zod";
import { queueTest } from "../../domain/webhooks/queue-webhooks.ts";
import { listWebhookDeliveries, sendAgain } from "../../domain/webhooks/webhook-deliveries.ts";
import type { WebhookDelivery } from "../../domain/webhooks/webhook-deliveries.ts";
import { webhookEvents } from "../../domain/webhooks/webhook-events.ts";
import {
  addWebhook,
  changeWebhook,
  endFormerSecret,
  findWebhook,
  listWebhooks,
  removeWebhook,
  renewWebhookSecret,
} from "../../domain/webhooks/webhooks.ts";
import type { Webhook } from "../../domain/webhooks/webhooks.ts";
import { endpoint } from "../../http/endpoint.ts";
import { given } from "./given.ts";
import { id, optionalFlag, requiredId, text, words } from "./parameters.ts";

const webhookId = requiredId("Id of the webhook.");
const done = () => ({ success: true });
const events = words(`What it is told, of ${webhookEvents.join(", ")}; the last two only for administrators.`);

/** Native contract 6.23. What an application had told would go on after its rights have ended, so none may. */
export const webhookRows = [
  endpoint({
    path: "webhook",
    methods: ["GET"],
    access: "channel",
    ownPassword: true,
    summary: "The channel's webhooks.",
    answer: "Webhook[]",
    input: z.object({}),
    handle: (hub, { channel }) => listWebhooks(hub, channel.channel_id),
    present: (webhooks) => webhooks.map(webhookRecord),
  }),
  endpoint({
    path: "webhook",
    methods: ["POST"],
    access: "channel",
    ownPassword: true,
    writes: true,
    summary: "Adds a webhook, and answers with its secret; or changes one when `webhook_id` is given.",
    answer: "WebhookWithSecret | Webhook",
    example: { url: "https://receiver.example/hub", events: "post.received" },
    input: z.object({
      webhook_id: id("Id of the one to change."),
      url: text("Where events are told: a public https address."),
      events,
      on: optionalFlag("False: it is told nothing."),
    }),
    async handle(hub, caller, { webhook_id: webhook, url, events: chosen, on }) {
      const order = given({ url, events: chosen });
      if (webhook !== undefined) return changeWebhook(hub, caller, webhook, { ...order, on });
      return addWebhook(hub, caller, { url: "", events: [], ...order });
    },
    present: (made) =>
      "secret" in made
        ? { success: true, webhook: webhookRecord(made.webhook), secret: made.secret }
        : webhookRecord(made),
  }),
  endpoint({
    path: "webhook/remove",
    methods: ["POST"],
    access: "channel",
    ownPassword: true,
    writes: true,
    summary: "Removes a webhook.",
    answer: "Done",
    example: { webhook_id: "3" },
    input: z.object({ webhook_id: webhookId }),
    handle: (hub, { channel }, { webhook_id: webhook }) => removeWebhook(hub, channel.channel_id, webhook),
    present: done,
  }),
  endpoint({
    path: "webhook/secret",
    methods: ["POST"],
    access: "channel",
    ownPassword: true,
    writes: true,
    summary: "Gives a webhook another secret; requests are signed with the old one as well for 24 hours.",
    answer: "WebhookWithSecret",
    example: { webhook_id: "3" },
    input: z.object({ webhook_id: webhookId }),
    async handle(hub, { channel: { channel_id: uid } }, { webhook_id: webhook }) {
      const secret = await renewWebhookSecret(hub, uid, webhook);
      return { webhook: await findWebhook(hub, uid, webhook), secret };
    },
    present: ({ webhook, secret }) => ({ success: true, webhook: webhookRecord(webhook), secret }),
  }),
  endpoint({
    path: "webhook/end-former",
    methods: ["POST"],
    access: "channel",
    ownPassword: true,
    writes: true,
    summary: "Ends the secret that a webhook had before at once; its own stays.",
    answer: "Webhook",
    example: { webhook_id: "3" },
    input: z.object({ webhook_id: webhookId }),
    handle: (hub, { channel }, { webhook_id: webhook }) => endFormerSecret(hub, channel.channel_id, webhook),
    present: webhookRecord,
  }),
  endpoint({
    path: "webhook/test",
    methods: ["POST"],
    access: "channel",
    ownPassword: true,
    writes: true,
    summary: "Sends a webhook a test, once, even when it is switched off.",
    answer: "Done",
    example: { webhook_id: "3" },
    input: z.object({ webhook_id: webhookId }),
    handle: async (hub, { channel }, { webhook_id: webhook }) =>
      queueTest(hub, await findWebhook(hub, channel.channel_id, webhook)),
    present: done,
  }),
  endpoint({
    path: "webhook/deliveries",
    methods: ["GET"],
    access: "channel",
    ownPassword: true,
    summary: "What a webhook was told last, the newest first: 50 at most, of 14 days.",
    answer: "WebhookDelivery[]",
    example: { webhook_id: "3" },
    input: z.object({ webhook_id: webhookId }),
    handle: async (hub, { channel }, { webhook_id: webhook }) =>
      listWebhookDeliveries(hub, await findWebhook(hub, channel.channel_id, webhook)),
    present: (deliveries) => deliveries.map(deliveryRecord),
  }),
  endpoint({
    path: "webhook/again",
    methods: ["POST"],
    access: "channel",
    ownPassword: true,
    writes: true,
    summary: "Sends something once more, under the same name.",
    answer: "Done",
    example: { webhook_id: "3", delivery_id: "5120" },
    input: z.object({ webhook_id: webhookId, delivery_id: requiredId("Id of what was told.") }),
    handle: (hub, { channel }, { webhook_id: webhook, delivery_id: delivery }) =>
      sendAgain(hub, channel.channel_id, webhook, delivery),
    present: done,
  }),
];

/** Native contract 2.17. */
function webhookRecord({ id, url, events, is_on, paused, failures, former_until, created }: Webhook): object {
  return { id: String(id), url, events, on: String(is_on), paused, failures: String(failures), former_until, created };
}

function deliveryRecord(delivery: WebhookDelivery): object {
  const { id, name, event, state, attempts, status, error, created, tried } = delivery;
  return {
    id: String(id),
    name,
    event,
    state,
    attempts: String(attempts),
    status: String(status),
    error,
    created,
    tried,
  };
}
