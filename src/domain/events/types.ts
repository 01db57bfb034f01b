import type { Selectable } from "kysely";
import type { EventTable } from "../../storage/tables/events.ts";

/** An event, task or birthday in a channel's calendar. */
export type CalendarEvent = Selectable<EventTable>;

/** One showing of an event: an event that repeats has several, each with dates of its own. */
export type Occurrence = { event: CalendarEvent; start: string; end: string };
