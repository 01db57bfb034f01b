import type { CalendarEvent } from "./types.ts";

/** From midnight to midnight on everybody's clock: a day, or several. */
export function isWholeDay(event: Pick<CalendarEvent, "adjust" | "dtstart" | "dtend" | "nofinish">): boolean {
  const midnight = (date: string): boolean => date.endsWith("00:00:00");
  return event.adjust === 0 && midnight(event.dtstart) && (event.nofinish === 1 || midnight(event.dtend));
}
