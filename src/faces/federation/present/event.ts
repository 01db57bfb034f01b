import type { CalendarEvent } from "../../../domain/events/events.ts";
import type { Item } from "../../../domain/items/types.ts";
import { isoDate } from "../../../http/dates.ts";

/** What an event says besides what a post does. */
export function eventFields(event: CalendarEvent): object {
  return {
    name: event.summary,
    content: event.html,
    startTime: momentOf(event, event.dtstart),
    ...(event.nofinish === 0 && { endTime: momentOf(event, event.dtend) }),
    ...(event.location !== "" && { location: { type: "Place", name: event.location } }),
  };
}

/** A time that is the same on every clock has no zone. */
function momentOf({ adjust }: CalendarEvent, date: string): string {
  return adjust === 1 ? isoDate(date) : isoDate(date).slice(0, -1);
}

/** Where something was written; absent where that is not said. */
export function placeOf({ location, coord }: Pick<Item, "location" | "coord">): object {
  const [latitude = Number.NaN, longitude = Number.NaN] = coord
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const isPoint = coord !== "" && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  if (location === "" && !isPoint) return {};
  return {
    location: { type: "Place", ...(location !== "" && { name: location }), ...(isPoint && { latitude, longitude }) },
  };
}
