import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import type { ReadCalendar } from "./ical-read.ts";
import type { CalendarEvent } from "./types.ts";

/** Few people use calendar files, so what reads and writes them is loaded when somebody does. */

/** Events as an iCalendar text; those that repeat do so in the zone of this channel. */
export async function ical(
  hub: Hub,
  channel: Pick<Channel, "channel_timezone">,
  events: readonly CalendarEvent[],
): Promise<string> {
  return (await import("./ical.ts")).ical(hub, channel, events);
}

/** Everything in the channel's calendar as one text. */
export async function wholeCalendar(hub: Hub, channel: Channel): Promise<string> {
  return (await import("./ical.ts")).wholeCalendar(hub, channel);
}

/** Takes the events of an iCalendar text into the channel's calendar. */
export async function importCalendar(hub: Hub, channel: Channel, text: string): Promise<ReadCalendar> {
  return (await import("./ical-read.ts")).importCalendar(hub, channel, text);
}
