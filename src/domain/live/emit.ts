import { afterCommit, doerOf, gathered, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { compiledQuery } from "../../storage/compiled-query.ts";
import { pipelined } from "../../storage/pipelined.ts";
import { callWebhooks } from "./call-webhooks.ts";
import { Emission } from "./event.ts";
import type { LiveEvent, OfChannels } from "./event.ts";
import { pulseOf } from "./pulse.ts";

/**
 * Says what has changed to all who listen, in this process and in others. All that a transaction says is one row, its last
 * statement but for the question of webhooks: what was told has happened, and what has happened was told.
 */
export async function emit(hub: Hub, ...events: LiveEvent[]): Promise<void> {
  if (events.length === 0) return;
  await gathered(hub, write, (emission = new Emission()) => {
    for (const event of events) emission.add(event);
    return emission;
  });
}

/** The same of what waits for channels, or of what they have set. */
export async function emitToChannels(hub: Hub, what: OfChannels, channels: readonly number[]): Promise<void> {
  if (channels.length > 0) await emit(hub, { what, channels });
}

async function write(hub: Hub, emission: Emission): Promise<void> {
  const by = doerOf(hub);
  // JSON leaves out what is undefined.
  const events = emission.events.map((event) => ({ ...event, by }));
  const row = { told: JSON.stringify(events), created: now(hub) };
  await pipelined(
    hub,
    compiledQuery(hub, "live event", row, (slots) => hub.db.insertInto("live_event").values(slots)),
  );
  await callWebhooks(hub, emission.events);
  const pulse = pulseOf(hub);
  afterCommit(hub, () => pulse.beat());
}
