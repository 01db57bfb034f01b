import { html } from "hono/html";
import type { Reported } from "../../../../domain/delivery/report.ts";
import { deliveriesOf } from "../../../../domain/items/deliveries.ts";
import { consentWords, outcomeWords } from "../../../words/deliveries.ts";
import { show } from "../../answers.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { displayPath } from "../../parts/item-paths.ts";
import { time } from "../../parts/times.ts";

/** To which hubs something of one's own went, and what came of it; for its author alone (federation contract 17). */
export const itemDeliveriesPages: Page[] = [{ path: "/item/:uuid/deliveries", access: "member", get: page }];

async function page(context: MemberContext): Promise<Response> {
  const { hub, member, params } = context;
  const { item, deliveries, consent } = await deliveriesOf(hub, member.channel, { uuid: params["uuid"] ?? "" });
  const main = html`<h1>Deliveries</h1>
    <p class="lead">
      To which other hubs <a href="${displayPath(context, item)}">this</a> went. Nobody but you sees this page.
    </p>
    ${consent && html`<p>${consentWords[consent]}</p>`}
    ${
      deliveries.length === 0
        ? html`<p class="empty">It went to no other hub.</p>`
        : html`<ul class="card people">
            ${deliveries.map((one) => row(context, one))}
          </ul>`
    }`;
  return show(context, { title: "Deliveries", main });
}

function row(context: MemberContext, delivery: Reported): Html {
  const { host, people, nextAt } = delivery;
  return html`<li class="person">
    <div class="person-words">
      <span class="name">${host}</span>
      <p class="about">${people.join(", ")}</p>
      <p class="about">${outcomeWords(delivery)}${nextAt === "" ? "" : html`; next try ${time(context, nextAt)}`}</p>
    </div>
  </li>`;
}
