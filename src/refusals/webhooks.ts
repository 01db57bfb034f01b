import { row } from "./row.ts";

/** Addresses to which channels have events told. */
export const webhookRefusals = {
  webhook_url_wrong: row("invalid", "url"),
  webhook_events_wrong: row("invalid", "events"),
  webhooks_full: row<{ most: number }>("denied"),
};
