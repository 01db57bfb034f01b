import type { Messages } from "../../refusals/messages.ts";
import type { webhookRefusals } from "../../refusals/webhooks.ts";

export const webhookWords: Messages<typeof webhookRefusals> = {
  webhook_url_wrong: "This is not a public https address.",
  webhook_events_wrong: "Choose one event at least, and only those that you may be told of.",
  webhooks_full: ({ most }) => `You can have ${most} webhooks.`,
};
