import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { fromSqlDate, sqlDate, zeroDate } from "../../storage/sql.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { exceptions, zoneOf } from "./vdata.ts";
import { daysOf, readRule } from "./recurrence.ts";
import type { CalendarEvent, Occurrence } from "./types.ts";
import { momentOf, wallClock } from "./zones.ts";

const day = 24 * 3600 * 1000;

/** More than this no month of a calendar shows. */
const most = 1000;

/**
 * What the channel's calendar shows from one day to before another (`YYYY-MM-DD`, the channel's zone), in order. An event
 * that repeats is there once for each time. Only the channel's own entries: for nobody but its owner.
 */
export async function listEvents(hub: Hub, channel: Channel, from: string, to: string): Promise<Occurrence[]> {
  const rows = await entriesBetween(hub, channel, `${from} 00:00:00`, `${to} 00:00:00`);
  return rows
    .flatMap((event) => occurrencesOf(hub, event, zoneOfChannel(channel), from, to))
    .toSorted((one, other) => compare(one.start, other.start) || one.event.id - other.event.id)
    .slice(0, most);
}

/** The zone of the clocks by which the channel lives; UTC for one that has said nothing. */
export function zoneOfChannel({ channel_timezone }: Pick<Channel, "channel_timezone">): string {
  return channel_timezone || "UTC";
}

/** Zones differ by less than a day, so what is looked for begins a day earlier and ends a day later. */
async function entriesBetween(hub: Hub, { channel_id }: Channel, from: string, to: string): Promise<CalendarEvent[]> {
  const [since, until] = [shift(from, -day), shift(to, day)];
  return hub.db
    .selectFrom("event")
    .selectAll()
    .where("uid", "=", channel_id)
    .where("dismissed", "=", 0)
    .where((x) =>
      x.or([
        x.and([x("dtstart", ">=", since), x("dtstart", "<", until)]),
        x.and([x("dtend", ">=", since), x("dtstart", "<", since)]),
        x("event_repeat", "<>", sql.lit("")),
      ]),
    )
    .orderBy("dtstart")
    .orderBy("id")
    .limit(most)
    .execute();
}

/** The times of an event between two days, on the clock of the zone. */
function occurrencesOf(hub: Hub, event: CalendarEvent, zone: string, from: string, to: string): Occurrence[] {
  const rule = event.event_repeat === "" ? undefined : readRule(event.event_repeat);
  const all = rule ? repetitions(hub, event, zone, from, to) : [once(hub, event, zone)];
  return all.filter(({ start, end }) => start < `${to} 00:00:00` && (end > `${from} 00:00:00` || start >= from));
}

function once(hub: Hub, event: CalendarEvent, zone: string): Occurrence {
  const start = shownClock(hub, event, event.dtstart, zone);
  return { event, start, end: event.nofinish === 1 ? start : shownClock(hub, event, event.dtend, zone) };
}

/** A weekly event stays at its hour when the clocks change: it repeats on the clock of its own zone. */
function repetitions(hub: Hub, event: CalendarEvent, zone: string, from: string, to: string): Occurrence[] {
  const own = zoneOf(event) ?? zone;
  const first = shownClock(hub, event, event.dtstart, own);
  const length = event.nofinish === 1 ? 0 : fromSqlDate(event.dtend).getTime() - fromSqlDate(event.dtstart).getTime();
  const back = Math.min(length, 366 * day) + day;
  const left = exceptions(hub, event, own);
  const since = shift(`${from} 00:00:00`, -back).slice(0, 10);
  const until = shift(`${to} 00:00:00`, day).slice(0, 10);
  return daysOf(readRule(event.event_repeat)!, first, since, until)
    .filter((date) => !left.has(date))
    .map((date) => {
      const begin = unshownClock(hub, event, `${date} ${first.slice(11)}`, own);
      const start = shownClock(hub, event, begin, zone);
      return { event, start, end: length === 0 ? start : shownClock(hub, event, shift(begin, length), zone) };
    });
}

function shownClock(hub: Hub, event: CalendarEvent, stored: string, zone: string): string {
  return event.adjust === 1 && stored !== zeroDate ? wallClock(hub, stored, zone) : stored;
}

function unshownClock(hub: Hub, event: CalendarEvent, wall: string, zone: string): string {
  return event.adjust === 1 ? momentOf(hub, wall, zone) : wall;
}

function shift(date: string, milliseconds: number): string {
  return sqlDate(new Date(fromSqlDate(date).getTime() + milliseconds));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
