import { html } from "hono/html";
import { isWholeDay } from "../../../../domain/events/events.ts";
import type { Birthday, Occurrence } from "../../../../domain/events/events.ts";
import type { Html, PageContext } from "../../page.ts";
import { withoutHost } from "../../local-path.ts";
import { icon } from "../icons.ts";
import { dayWords } from "../times.ts";
import { dayBefore, eventPath } from "./when.ts";

/** A month of a calendar: the weeks that it shows, from Monday to Sunday. */
export type Month = { first: string; from: string; to: string; days: string[] };

const dayLength = 24 * 3600 * 1000;

/** The month of a day or of `YYYY-MM`. */
export function monthOf(date: string): Month {
  const [year, month] = [Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1];
  const first = Date.UTC(year, month, 1);
  const from = first - ((new Date(first).getUTCDay() + 6) % 7) * dayLength;
  const end = Date.UTC(year, month + 1, 1);
  const to = end + ((8 - new Date(end).getUTCDay()) % 7) * dayLength;
  const days = Array.from({ length: Math.round((to - from) / dayLength) }, (_, at) => text(from + at * dayLength));
  return { first: text(first), from: text(from), to: text(to), days };
}

/** The name of the month so many months later: `YYYY-MM`. */
export function monthAfter(date: string, later: number): string {
  return text(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1 + later, 1)).slice(0, 7);
}

function text(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** What a month shows. */
export type MonthContent = { occurrences: Occurrence[]; birthdays: Birthday[]; today: string };

/** The month as a table; in narrow windows its days only show that there is something. */
export function monthTable(context: PageContext, month: Month, shown: MonthContent): Html {
  const weeks = Array.from({ length: month.days.length / 7 }, (_, week) => month.days.slice(week * 7, week * 7 + 7));
  return html`<table class="calendar">
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
            ${week.map((day) => cell(context, month, shown, day))}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function cell(context: PageContext, month: Month, { occurrences, birthdays, today }: MonthContent, day: string): Html {
  const outside = day.slice(0, 7) !== month.first.slice(0, 7);
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

/** The same as a list, for narrow windows. */
export function monthList(context: PageContext, month: Month, shown: MonthContent): Html {
  const days = month.days.filter((day) => day.slice(0, 7) === month.first.slice(0, 7));
  const full = days.filter(
    (day) =>
      shown.occurrences.some((one) => begins(one, day, month)) || shown.birthdays.some((one) => one.date === day),
  );
  if (full.length === 0) return html`<p class="empty">${context.say("events.nothing-planned")}</p>`;
  return html`<ol class="agenda">
    ${full.map((day) => agendaDay(context, month, shown, day))}
  </ol>`;
}

/** What began earlier is listed on the first day of the month. */
function begins(one: Occurrence, day: string, month: Month): boolean {
  return one.start.slice(0, 10) === day || (day === month.first && one.start.slice(0, 10) < day && isOn(one, day));
}

function agendaDay(context: PageContext, month: Month, { occurrences, birthdays }: MonthContent, day: string): Html {
  return html`<li>
    <h2>${dayWords(context, day)}</h2>
    <ul class="card plain-list">
      ${birthdays.filter((one) => one.date === day).map((one) => html`<li><a href="${personPath(context, one)}">${icon("star")} ${context.say("events.birthday", { name: one.name })}</a></li>`)}
      ${occurrences.filter((one) => begins(one, day, month)).map((one) => html`<li class="${kindOf(one)}">${entryLink(one, day)}</li>`)}
    </ul>
  </li>`;
}

function personPath({ hub }: PageContext, { url }: Birthday): string {
  return /^https?:\/\//i.test(url) ? withoutHost(hub.config.baseUrl, url) : "#";
}
