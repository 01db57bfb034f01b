import type { Hub } from "../../hub.ts";
import { fromSqlDate } from "../../storage/sql.ts";
import type { CalendarEvent } from "./types.ts";
import { isZone, wallClock } from "./zones.ts";

/** What the calendar reads again from an event's original text, where the record has no field for it. */

/** The zone in which the event was planned, where its text names one. */
export function zoneOf({ event_vdata }: CalendarEvent): string | undefined {
  const [, zone] = /^DTSTART;(?:[^:\r\n]*;)?TZID="?([^":;\r\n]+)"?[:;]/m.exec(unfolded(event_vdata)) ?? [];
  return zone !== undefined && isZone(zone) ? zone : undefined;
}

/** The days on which an event that repeats does not take place, on the clock of the zone. */
export function exceptions(hub: Hub, { event_vdata }: CalendarEvent, zone: string): Set<string> {
  const days = [...unfolded(event_vdata).matchAll(/^EXDATE[^:\r\n]*:([0-9TZ,]+)/gm)].flatMap((match) =>
    match[1]!.split(",").map((text) => dayOf(hub, text, zone)),
  );
  return new Set(days);
}

function dayOf(hub: Hub, text: string, zone: string): string {
  const [, year, month, date, clock = "", utc] = /^(\d{4})(\d\d)(\d\d)(?:T(\d{6})(Z)?)?/.exec(text) ?? [];
  const day = `${year}-${month}-${date}`;
  const moment = `${day} ${clock.replace(/(..)(..)(..)/, "$1:$2:$3")}`;
  return utc && !Number.isNaN(fromSqlDate(moment).getTime()) ? wallClock(hub, moment, zone).slice(0, 10) : day;
}

/** Long lines of calendar files are folded (RFC 5545, 3.1). */
function unfolded(text: string): string {
  return text.replace(/\r?\n[ \t]/g, "");
}
