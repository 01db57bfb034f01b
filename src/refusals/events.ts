import { row } from "./row.ts";

/** Events and calendars. */
export const eventsRefusals = {
  event_title_needed: row("invalid", "summary"),
  end_before_beginning: row("invalid", "dtend"),
  progress_wrong: row("invalid", "percent"),
  recurrence_wrong: row("invalid", "repeat"),
  not_your_event: row("denied"),
  calendar_takes_too_long: row("invalid", "file"),
  events_too_many: row<{ most: number }>("invalid", "file"),
  not_a_calendar: row("invalid", "file"),
  beginning_needed: row("invalid", "dtstart"),
  sections_unknown: row("invalid", "sections"),
};
