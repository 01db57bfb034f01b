import { zoneOf } from "../../../domain/events/events.ts";
import type { CalendarEvent } from "../../../domain/events/events.ts";
import { moderation } from "../../../domain/identity/channels/channel-settings.ts";
import type { WrittenHere } from "../../../domain/items/timelines/written-here.ts";
import type { Item } from "../../../domain/items/types.ts";
import { isoDate } from "../../../http/dates.ts";

/** Whether people may come without being asked, in the words of those who manage events. */
const joinModes = { everybody: { joinMode: "free" }, connections: { joinMode: "invite" }, owner: {} } as const;

/** What an event says besides what a post does. Its zone is told where it names one: where its maker lives is not. */
export function eventFields(event: CalendarEvent, { item, comments }: WrittenHere): object {
  const timezone = event.adjust === 1 ? zoneOf(event) : undefined;
  return {
    name: event.summary,
    startTime: momentOf(event, event.dtstart),
    ...(event.nofinish === 0 && { endTime: momentOf(event, event.dtend) }),
    ...placeOf({ location: event.location || item.location, coord: item.coord }),
    ...(timezone !== undefined && { timezone }),
    ...joinModeOf(comments),
  };
}

/** Where comments wait, so do those who join. */
function joinModeOf({ by, held }: WrittenHere["comments"]): object {
  return by === "everybody" && held !== moderation.nobody ? { joinMode: "restricted" } : joinModes[by];
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
