import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { addJobWhere } from "../../jobs/queue.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { LiveEvent } from "./event.ts";

/**
 * Adds a job for webhooks where a channel has one that has got copies of these messages; one statement, whoever has. What is told is found
 * out by the job (domain/listeners).
 */
export async function callWebhooks(hub: Hub, events: readonly LiveEvent[]): Promise<void> {
  const told = events.flatMap((event) =>
    event.what === "item" ? [{ message: event.message, from: event.from, to: event.to }] : [],
  );
  if (told.length === 0) return;
  const messages = told.map(({ message }) => message);
  await addJobWhere(
    hub,
    "tell-webhooks",
    { told },
    { messages },
    (slots) => sql<SqlBool>`exists (select 1 from webhook join item on item.uid = webhook.uid
      where webhook.is_on = 1 and webhook.of_items = 1 and ${isOneOf(hub.engine, sql.ref("item.message_id"), slots.messages)})`,
  );
}
