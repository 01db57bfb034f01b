import { listBirthdays, listEvents, wallClock, zoneOfChannel } from "../../../../domain/events/events.ts";
import { now } from "../../../../hub.ts";
import { show } from "../../answers.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page, PageContext } from "../../page.ts";
import { agenda, calendarTable } from "../../parts/events/calendar.ts";
import { dayAfter, daysLater, listFrom, monthLater, monthOf, weekOf } from "../../parts/events/span.ts";
import type { Span } from "../../parts/events/span.ts";
import { icon } from "../../parts/icons.ts";
import { dayWords } from "../../parts/times.ts";

/** The calendar of the member: its own events and those that it has taken in, by months, by weeks, or as a list. */
export const eventsPages: Page[] = [{ path: "/events", access: "member", get: page }];

type View = {
  name: "month" | "week" | "list";
  span: Span;
  title: string;
  before: Link;
  current: Link;
  after: Link;
};

type Link = readonly [href: string, label: string];

async function page(context: MemberContext): Promise<Response> {
  const { hub, member, say } = context;
  const today = wallClock(hub, now(hub), zoneOfChannel(member.channel)).slice(0, 10);
  const view = viewOf(context, today);
  const { name, span, title } = view;
  const [from, to] = [span.days[0]!, dayAfter(span)];
  const [occurrences, birthdays] = await Promise.all([
    listEvents(hub, member.channel, from, to),
    listBirthdays(hub, member.channel, from, to),
  ]);
  const content = { occurrences, birthdays, today };
  const list = agenda(context, span, content);
  const main = html`<div class="title-row">
      <h1>${title}</h1>
      ${turning(context, view)}
    </div>
    ${views(context, name, span.first <= today && today <= span.last ? today : span.first)}
    ${
      name === "list"
        ? list
        : html`<div class="card calendar-card">${calendarTable(context, span, content)}</div>
            <div class="month-list">${list}</div>`
    }
    <p class="submit">
      <a class="button primary" href="/events/new">${icon("calendar")} ${say("events.new-event")}</a>
      <a class="button" href="/events/import">${icon("upload")} ${say("events.read-file")}</a>
      <a class="quiet-link" href="/events/subscribe">${say("events.subscribe")}</a>
      <a class="quiet-link" href="/events/ical">${say("events.save-all")}</a>
    </p>`;
  return show(context, { title, main });
}

/** What the address asks for; a day or month that is none means today. */
function viewOf(context: PageContext, today: string): View {
  const { query, say } = context;
  if (query.has("week")) {
    const span = weekOf(dayIn(query.word("week")) ?? today);
    return {
      name: "week",
      span,
      title: say("events.week-of", { day: dayWords(context, span.first, "day and year") }),
      before: [`/events?week=${daysLater(span.first, -7)}`, say("events.previous-week")],
      current: [`/events?week=${today}`, say("events.today")],
      after: [`/events?week=${daysLater(span.first, 7)}`, say("events.next-week")],
    };
  }
  if (query.has("from")) {
    const span = listFrom(dayIn(query.word("from")) ?? today);
    return {
      name: "list",
      span,
      title: say("events.list-from", { day: dayWords(context, span.first, "day and year") }),
      before: [`/events?from=${daysLater(span.first, -span.days.length)}`, say("events.earlier")],
      current: [`/events?from=${today}`, say("events.today")],
      after: [`/events?from=${dayAfter(span)}`, say("events.later")],
    };
  }
  const span = monthOf(dayIn(`${query.word("month")}-01`) ?? today);
  return {
    name: "month",
    span,
    title: dayWords(context, span.first, "month"),
    before: [`/events?month=${monthLater(span.first, -1)}`, say("events.previous-month")],
    current: ["/events", say("events.today")],
    after: [`/events?month=${monthLater(span.first, 1)}`, say("events.next-month")],
  };
}

/** A day of the years in which events can be. */
function dayIn(text: string): string | undefined {
  return /^[12]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(text) ? text : undefined;
}

function turning({ say }: PageContext, { name, before, current, after }: View): Html {
  const arrow = (rel: string, sign: string, [href, label]: Link): Html =>
    html`<a class="button" rel="${rel}" href="${href}"
      ><span aria-hidden="true">${sign}</span><span class="unseen">${label}</span></a
    >`;
  return html`<nav class="month-turn" aria-label="${say(`events.turn-${name}`)}">
    ${arrow("prev", "‹", before)} <a class="button" href="${current[0]}">${current[1]}</a> ${arrow("next", "›", after)}
  </nav>`;
}

/** The same days in the other views. */
function views({ say }: PageContext, name: View["name"], day: string): Html {
  const all = [
    ["month", `/events?month=${day.slice(0, 7)}`],
    ["week", `/events?week=${day}`],
    ["list", `/events?from=${day}`],
  ] as const;
  return html`<nav class="tabs" aria-label="${say("events.views")}">
    ${all.map(([one, href]) => html`<a href="${href}" ${one === name ? html`aria-current="page"` : ""}>${say(`events.view-${one}`)}</a>`)}
  </nav>`;
}
