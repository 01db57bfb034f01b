import { cache } from "../../caches.ts";
import type { HubOfCaches } from "../../caches.ts";
import { fromSqlDate, sqlDate } from "../../storage/sql.ts";

/** Where the clocks of zones are kept: the hub, or what stands for it in a thread. */
export type Clocks = HubOfCaches;

const clocks = cache<string, Intl.DateTimeFormat>(200);

/** The wall clock of a zone at a moment in UTC; both in the stored form. */
export function wallClock(hub: Clocks, moment: string, zone: string): string {
  return zone === "UTC" ? moment : sqlDate(shifted(hub, fromSqlDate(moment), zone, 1));
}

/** The moment in UTC at which a zone's clocks show this; an hour that the zone leaves out is that before the change. */
export function momentOf(hub: Clocks, wall: string, zone: string): string {
  if (zone === "UTC") return wall;
  const guess = shifted(hub, fromSqlDate(wall), zone, -1);
  // Near a change of the clocks the first guess took the offset of the wrong side.
  const offset = offsetAt(hub, guess, zone);
  return sqlDate(new Date(fromSqlDate(wall).getTime() - offset));
}

/** Whether programs know the zone by this name. */
export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function shifted(hub: Clocks, moment: Date, zone: string, sign: 1 | -1): Date {
  return new Date(moment.getTime() + sign * offsetAt(hub, moment, zone));
}

/** How far the zone's clocks are ahead of UTC then, in milliseconds. */
function offsetAt(hub: Clocks, moment: Date, zone: string): number {
  const parts = clock(hub, zone).formatToParts(moment);
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value ?? 0);
  const wall = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return wall - Math.floor(moment.getTime() / 1000) * 1000;
}

/** Making a formatter costs more than using it, so each zone's is kept. */
function clock(hub: Clocks, zone: string): Intl.DateTimeFormat {
  const known = clocks(hub);
  const found = known.get(zone);
  if (found) return found;
  const made = new Intl.DateTimeFormat("en-GB", {
    timeZone: isZone(zone) ? zone : "UTC",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  known.set(zone, made);
  return made;
}
