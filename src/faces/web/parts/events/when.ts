import { isWholeDay, wallClock, zoneOfChannel } from "../../../../domain/events/events.ts";
import type { CalendarEvent } from "../../../../domain/events/events.ts";
import { isoDate } from "../../../../http/dates.ts";
import { html } from "../../html.ts";
import type { Html, PageContext } from "../../page.ts";
import type { Happening } from "../preview.ts";
import { dayWords } from "../times.ts";

type Span = Pick<CalendarEvent, "dtstart" | "dtend" | "nofinish" | "adjust">;

/** Where an event is shown. */
export function eventPath(hash: string): string {
  return `/event/${encodeURIComponent(hash)}`;
}

/** When an event is, in words, on the clock of the one who looks. */
export function when(context: PageContext, event: Span): Html {
  const zone = viewerZone(context);
  const clock = (stored: string): string => (event.adjust === 1 ? wallClock(context.hub, stored, zone) : stored);
  const note =
    event.adjust === 1 ? html` <small class="zone">${context.say("events.zone-time", { zone })}</small>` : "";
  if (isWholeDay(event)) return html`<span>${wholeDays(context, event)}</span>`;
  const start = clock(event.dtstart);
  if (event.nofinish === 1) return html`<span>${dayWords(context, start)}, ${start.slice(11, 16)}</span>${note}`;
  const end = clock(event.dtend);
  const last =
    end.slice(0, 10) === start.slice(0, 10) ? end.slice(11, 16) : `${dayWords(context, end)}, ${end.slice(11, 16)}`;
  return html`<span>${dayWords(context, start)}, ${start.slice(11, 16)} – ${last}</span>${note}`;
}

/** When and where it is, for programs: a moment of the world, a time on everybody's clock, or days. */
export function happeningOf(event: Span & Pick<CalendarEvent, "location">): Happening {
  const isDays = isWholeDay(event);
  const moment = (stored: string): string => {
    if (isDays) return stored.slice(0, 10);
    return event.adjust === 1 ? isoDate(stored) : stored.replace(" ", "T");
  };
  const end = event.nofinish === 1 ? {} : { end: isDays ? dayBefore(event.dtend) : moment(event.dtend) };
  return { start: moment(event.dtstart), ...end, place: event.location };
}

/** The zone of the member; visitors get the times in UTC. */
function viewerZone({ member }: PageContext): string {
  return member ? zoneOfChannel(member.channel) : "UTC";
}

function wholeDays(context: PageContext, event: Span): string {
  const last = event.nofinish === 1 ? event.dtstart : dayBefore(event.dtend);
  if (last.slice(0, 10) <= event.dtstart.slice(0, 10)) return dayWords(context, event.dtstart);
  return `${dayWords(context, event.dtstart)} – ${dayWords(context, last)}`;
}

/** A whole day ends where the next one begins. */
export function dayBefore(date: string): string {
  return new Date(Date.parse(`${date.slice(0, 10)}T00:00:00Z`) - 24 * 3600 * 1000).toISOString().slice(0, 10);
}
