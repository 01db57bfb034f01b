import { isWholeDay } from "../../../../domain/events/events.ts";
import type { Birthday, Occurrence } from "../../../../domain/events/events.ts";
import { html } from "../../html.ts";
import type { Html, PageContext } from "../../page.ts";
import { withoutHost } from "../../local-path.ts";
import { icon } from "../icons.ts";
import { dayWords } from "../times.ts";
import type { Span } from "./span.ts";
import { dayBefore, eventPath } from "./when.ts";

/** What is on. */
export type CalendarContent = { occurrences: Occurrence[]; birthdays: Birthday[]; today: string };

/** Weeks as a table; in narrow windows its days only show that there is something. */
export function calendarTable(context: PageContext, span: Span, shown: CalendarContent): Html {
  const weeks = Array.from({ length: span.days.length / 7 }, (_, week) => span.days.slice(week * 7, week * 7 + 7));
  return html`<table class="calendar ${weeks.length === 1 ? "one-week" : ""}">
    <thead>
      <tr>
        ${weeks[0]?.map(
          (day) =>
            html`<th scope="col">
              <abbr title="${dayWords(context, day, "weekday")}">${dayWords(context, day, "short weekday")}</abbr>
            </th>`,
        )}
      </tr>
    </thead>
    <tbody>
      ${weeks.map(
        (week) =>
          html`<tr>
            ${week.map((day) => cell(context, span, shown, day))}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function cell(context: PageContext, span: Span, { occurrences, birthdays, today }: CalendarContent, day: string): Html {
  const outside = day < span.first || day > span.last;
  const entries = occurrences.filter((one) => isOn(one, day));
  const born = birthdays.filter((one) => one.date === day);
  return html`<td class="${outside ? "outside" : ""} ${day === today ? "today" : ""}">
    <a
      class="day"
      href="/events/new?date=${day}"
      aria-label="${context.say("events.new-event-on", { day: dayWords(context, day) })}"
      >${Number(day.slice(8))}</a
    >
    <ul>
      ${born.map((one) => html`<li class="birthday"><span>${icon("star")} ${one.name}</span></li>`)}
      ${entries.map((one) => html`<li class="${kindOf(one)}">${entryLink(one, day)}</li>`)}
    </ul>
  </td>`;
}

function kindOf({ event }: Occurrence): string {
  if (event.etype === "task") return event.event_status === "COMPLETED" ? "task completed" : "task";
  return event.etype;
}

function entryLink({ event, start }: Occurrence, day: string): Html {
  const time = isWholeDay(event) || start.slice(0, 10) !== day ? "" : start.slice(11, 16);
  return html`<a href="${eventPath(event.event_hash)}"
    >${time ? html`<span class="time">${time}</span> ` : ""}${event.summary}</a
  >`;
}

function isOn({ event, start, end }: Occurrence, day: string): boolean {
  const last = isWholeDay(event) && end > start ? dayBefore(end) : lastDay(start, end);
  return start.slice(0, 10) <= day && day <= last;
}

/** What ends at midnight is not on the day that begins then. */
function lastDay(start: string, end: string): string {
  return end > start && end.endsWith("00:00:00") ? dayBefore(end) : end.slice(0, 10);
}

/** What is on as a list, without the days on which nothing is; in narrow windows it says what the table only points at. */
export function agenda(context: PageContext, span: Span, shown: CalendarContent): Html {
  const full = span.days.filter(
    (day) => shown.occurrences.some((one) => begins(one, day, span)) || shown.birthdays.some((one) => one.date === day),
  );
  if (full.length === 0) return html`<p class="empty">${context.say("events.nothing-planned")}</p>`;
  return html`<ol class="agenda">
    ${full.map((day) => agendaDay(context, span, shown, day))}
  </ol>`;
}

/** What began earlier is listed on the first day. */
function begins(one: Occurrence, day: string, span: Span): boolean {
  return one.start.slice(0, 10) === day || (day === span.days[0] && one.start.slice(0, 10) < day && isOn(one, day));
}

function agendaDay(context: PageContext, span: Span, { occurrences, birthdays }: CalendarContent, day: string): Html {
  return html`<li>
    <h2>${dayWords(context, day)}</h2>
    <ul class="card plain-list">
      ${birthdays.filter((one) => one.date === day).map((one) => html`<li><a href="${personPath(context, one)}">${icon("star")} ${context.say("events.birthday", { name: one.name })}</a></li>`)}
      ${occurrences.filter((one) => begins(one, day, span)).map((one) => html`<li class="${kindOf(one)}">${entryLink(one, day)}</li>`)}
    </ul>
  </li>`;
}

function personPath({ hub }: PageContext, { url }: Birthday): string {
  return /^https?:\/\//i.test(url) ? withoutHost(hub.config.baseUrl, url) : "#";
}
