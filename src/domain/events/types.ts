import type { Selectable } from "kysely";
import type { EventTable } from "../../storage/tables/events.ts";

/** An event, task or birthday in a channel's calendar. */
export type CalendarEvent = Selectable<EventTable>;

/** The columns of an event that say when it is; wall-clock texts in the stored form. */
export type Span = Pick<CalendarEvent, "dtstart" | "dtend" | "nofinish" | "adjust">;

/** One showing of an event: an event that repeats has several, each with dates of its own. */
export type Occurrence = { event: CalendarEvent; start: string; end: string };
