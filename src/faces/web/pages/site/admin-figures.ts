import { html } from "hono/html";
import { figuresOver, gauges, slowestRows } from "../../../../domain/upkeep/figures.ts";
import type { Gauge, Slot, SlowRow, Span } from "../../../../domain/upkeep/figures.ts";
import { show } from "../../answers.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { size } from "../../parts/files/sizes.ts";
import { adminHead } from "../../parts/site/admin-head.ts";
import { plot } from "../../parts/site/plot.ts";

const path = "/admin/figures";
const mostSlow = 15;

/** What the hub was like in the last day or month; for administrators. */
export const adminFiguresPages: Page[] = [{ path, access: "administrator", get: page }];

const spanLabels: Readonly<Record<Span, string>> = { day: "24 hours", month: "30 days" };

const whole = (value: number): string => String(Math.round(value));
const milliseconds = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;

const shown: readonly (readonly [Gauge, string, (value: number) => string])[] = [
  ["people", "Channels", whole],
  ["active", "Channels that were here within 30 days", whole],
  ["posts", "Posts", whole],
  ["storage", "Files and photos of members", size],
  ["copies", "Copies of media from elsewhere", size],
  ["jobs", "Jobs that wait", whole],
  ["deliveries", "Deliveries to other servers that are due", whole],
];

async function page(context: MemberContext): Promise<Response> {
  const span: Span = context.query.word("over") === "month" ? "month" : "day";
  const [figures, slow] = await Promise.all([
    figuresOver(context.hub, [...gauges, "requests"], span),
    slowestRows(context.hub, span, mostSlow),
  ]);
  const gauge = ([name, title, words]: (typeof shown)[number]) =>
    plot(context, { id: name, title, slots: figures[name], value: ({ mean }) => mean, words });
  const measured = ({ mean, times }: Slot) => (mean === undefined ? undefined : times);
  const main = html`${adminHead("Figures")}
    <nav class="tabs" aria-label="Over which time">
      ${(["day", "month"] as const).map((name) => html`<a href="${path}?over=${name}" ${name === span ? html`aria-current="page"` : ""}>${spanLabels[name]}</a>`)}
    </nav>
    ${shown.map(gauge)}
    ${plot(context, { id: "requests", title: "Requests", slots: figures.requests, value: measured, words: whole })}
    ${plot(context, { id: "durations", title: "How long a request takes", slots: figures.requests, value: ({ mean }) => mean, words: milliseconds })}
    ${slowSection(slow)}`;
  return show(context, { title: "Figures", main });
}

function slowSection(slow: readonly SlowRow[]): Html {
  return html`<section class="card history">
    <h2>What takes longest</h2>
    ${
      slow.length > 0
        ? html`<table>
            <thead>
              <tr>
                <th scope="col">Request</th>
                <th scope="col">Times</th>
                <th scope="col">On average</th>
                <th scope="col">At most</th>
              </tr>
            </thead>
            <tbody>
              ${slow.map(
                ({ row, times, mean, most }) =>
                  html`<tr>
                    <th scope="row">${row}</th>
                    <td>${times}</td>
                    <td>${milliseconds(mean)}</td>
                    <td>${milliseconds(most)}</td>
                  </tr>`,
              )}
            </tbody>
          </table>`
        : html`<p class="hint">Nothing was asked for yet. What each process counts is added every five minutes.</p>`
    }
  </section>`;
}
