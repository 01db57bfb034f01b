import { figuresOver, gauges, slowestRows } from "../../../../domain/upkeep/figures.ts";
import type { Gauge, Slot, SlowRow, Span } from "../../../../domain/upkeep/figures.ts";
import { show } from "../../answers.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { size } from "../../parts/files/sizes.ts";
import { adminHead } from "../../parts/site/admin-head.ts";
import { plot } from "../../parts/site/plot.ts";

const path = "/admin/figures";
const mostSlow = 15;

/** What the hub was like in the last day or month; for administrators. */
export const adminFiguresPages: Page[] = [{ path, access: "administrator", get: page }];

const whole = (value: number): string => String(Math.round(value));
const milliseconds = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
const bytes = (value: number, context: MemberContext): string => size(context, value);

const shown: readonly (readonly [Gauge, (value: number, context: MemberContext) => string])[] = [
  ["people", whole],
  ["active", whole],
  ["posts", whole],
  ["storage", bytes],
  ["copies", bytes],
  ["jobs", whole],
  ["deliveries", whole],
];

async function page(context: MemberContext): Promise<Response> {
  const { say } = context;
  const span: Span = context.query.word("over") === "month" ? "month" : "day";
  const [figures, slow] = await Promise.all([
    figuresOver(context.hub, [...gauges, "requests"], span),
    slowestRows(context.hub, span, mostSlow),
  ]);
  const gauge = ([name, words]: (typeof shown)[number]) =>
    plot(context, {
      id: name,
      title: say(`admin.figure-${name}`),
      slots: figures[name],
      value: ({ mean }) => mean,
      words: (value) => words(value, context),
    });
  const measured = ({ mean, times }: Slot) => (mean === undefined ? undefined : times);
  const main = html`${adminHead(context, say("admin.figures"))}
    <nav class="tabs" aria-label="${say("admin.over-which-time")}">
      ${(["day", "month"] as const).map((name) => html`<a href="${path}?over=${name}" ${name === span ? html`aria-current="page"` : ""}>${say(`admin.span-${name}`)}</a>`)}
    </nav>
    ${shown.map(gauge)}
    ${plot(context, { id: "requests", title: say("admin.requests"), slots: figures.requests, value: measured, words: whole })}
    ${plot(context, { id: "durations", title: say("admin.how-long-a-request-takes"), slots: figures.requests, value: ({ mean }) => mean, words: milliseconds })}
    ${slowSection(context, slow)}`;
  return show(context, { title: say("admin.figures"), main });
}

function slowSection(context: MemberContext, slow: readonly SlowRow[]): Html {
  const { say } = context;
  return html`<section class="card slow-rows">
    <h2>${say("admin.what-takes-longest")}</h2>
    ${
      slow.length > 0
        ? html`<table>
            <thead>
              <tr>
                <th scope="col">${say("admin.request")}</th>
                <th scope="col">${say("admin.times")}</th>
                <th scope="col">${say("admin.on-average")}</th>
                <th scope="col">${say("admin.at-most")}</th>
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
        : html`<p class="hint">${say("admin.nothing-was-asked-for-yet-what")}</p>`
    }
  </section>`;
}
