import type { Reported } from "../../../../domain/delivery/report.ts";
import { deliveriesOf } from "../../../../domain/items/deliveries.ts";
import { show } from "../../answers.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { outcome } from "../../parts/items/outcome.ts";
import { displayPath } from "../../parts/item-paths.ts";
import { time } from "../../parts/times.ts";

/** To which hubs something of one's own went, and what came of it; for its author alone (federation contract 17). */
export const itemDeliveriesPages: Page[] = [{ path: "/item/:uuid/deliveries", access: "member", get: page }];

async function page(context: MemberContext): Promise<Response> {
  const { hub, member, params, say } = context;
  const { item, deliveries, consent } = await deliveriesOf(hub, member.channel, { uuid: params["uuid"] ?? "" });
  const main = html`<h1>${say("items.deliveries")}</h1>
    <p class="lead">${say.html("items.deliveries-lead", { post: linkTo(displayPath(context, item)) })}</p>
    ${consent && html`<p>${say(`items.consent-${consent}`)}</p>`}
    ${
      deliveries.length === 0
        ? html`<p class="empty">${say("items.no-deliveries")}</p>`
        : html`<ul class="card people">
            ${deliveries.map((one) => row(context, one))}
          </ul>`
    }`;
  return show(context, { title: say("items.deliveries"), main });
}

function row(context: MemberContext, delivery: Reported): Html {
  const { host, people, nextAt } = delivery;
  return html`<li class="person">
    <div class="person-words">
      <span class="name">${host}</span>
      <p class="about">${people.join(", ")}</p>
      <p class="about">
        ${nextAt === "" ? outcome(context.say, delivery) : context.say.html("items.next-try", { outcome: outcome(context.say, delivery), time: time(context, nextAt) })}
      </p>
    </div>
  </li>`;
}
