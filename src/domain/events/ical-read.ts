import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { HubError, refusal, TookTooLong } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { Crew } from "../../threads.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { lockChannels } from "../identity/channels/lock-channels.ts";
import { zoneOfChannel } from "./calendar.ts";
import { entryOf } from "./find.ts";
import type { ReadEvent } from "./ical-work.ts";
import type * as work from "./ical-work.ts";
import { addEvent, saveEvent } from "./save.ts";

const crew: Crew = { module: new URL("./ical-work.ts", import.meta.url), threads: 1, queue: 10, limit: 20_000 };

/** So many events are stored together. */
const together = 20;

export type ReadCalendar = { added: number; changed: number; unreadable: number };

/**
 * Takes the events and tasks of an iCalendar text into the channel's calendar, where they are its own alone; reading the
 * same file again changes what is there. Throws invalid for a text that is no calendar.
 */
export async function importCalendar(hub: Hub, channel: Channel, text: string): Promise<ReadCalendar> {
  const events = await readInThread(hub, text, zoneOfChannel(channel));
  const counts: ReadCalendar = { added: 0, changed: 0, unreadable: 0 };
  for (let from = 0; from < events.length; from += together) {
    const taken = await takeAll(hub, channel, events.slice(from, from + together));
    for (const outcome of taken) counts[outcome] += 1;
  }
  return counts;
}

async function readInThread(hub: Hub, text: string, zone: string): Promise<(ReadEvent | undefined)[]> {
  try {
    return await hub.threads.of<typeof work>(crew).run("readEvents", text, zone);
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error;
    throw refusal("calendar_takes_too_long", { cause: error });
  }
}

function takeAll(
  hub: Hub,
  channel: Channel,
  events: readonly (ReadEvent | undefined)[],
): Promise<(keyof ReadCalendar)[]> {
  return inTransaction(hub, async (hub) => {
    // The same file may come twice at the same moment.
    await lockChannels(hub, [channel.channel_id]);
    const taken: (keyof ReadCalendar)[] = [];
    for (const event of events) {
      taken.push(event ? await take(hub, channel, event) : "unreadable");
      // Others are served between two events.
      await setImmediate();
    }
    return taken;
  });
}

async function take(hub: Hub, channel: Channel, event: ReadEvent): Promise<keyof ReadCalendar> {
  const hash = await hashOf(hub, channel, event);
  const known = await entryOf(hub, channel.channel_id, hash);
  if (known && known.event_xchan !== channel.channel_hash) return "unreadable";
  try {
    await (known ? saveEvent(hub, channel, event.draft, hash) : addEvent(hub, channel, event.draft, hash));
    return known ? "changed" : "added";
  } catch (error) {
    if (!(error instanceof HubError) || error.kind === "unavailable") throw error;
    return "unreadable";
  }
}

/** An event that came from this calendar is known by its own name, others by a name that nobody else can have. */
async function hashOf(hub: Hub, channel: Channel, { uid, time, text }: ReadEvent): Promise<string> {
  if (time === "" && (await entryOf(hub, channel.channel_id, uid))) return uid;
  const named = `${channel.channel_hash} ${uid || text} ${time}`;
  return `${createHash("sha256").update(named).digest("hex")}@${hub.config.host}`;
}
