import type { Approval } from "../../../../domain/items/approvals.ts";
import { quotationsOf, takeBackQuotation } from "../../../../domain/items/posting/quotations.ts";
import { loadUsers } from "../../../../domain/people/users.ts";
import type { User } from "../../../../domain/people/users.ts";
import type { Item } from "../../../../domain/items/types.ts";
import { redirect, show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { buttonForm } from "../../parts/forms.ts";
import { displayPath } from "../../parts/item-paths.ts";

/** Who at other hubs may quote something of one's own; for its author alone (federation contract 7). */
export const itemQuotationsPages: Page[] = [
  { path: "/item/:uuid/quotations", access: "member", get: page, post: takeBack },
];

async function page(context: MemberContext): Promise<Response> {
  const { hub, member, params, say } = context;
  const { item, quotations } = await quotationsOf(hub, member.channel, { uuid: params["uuid"] ?? "" });
  const people = await loadUsers(hub, member.observer, [...new Set(quotations.map((one) => one.person_id))]);
  const main = html`<h1>${say("items.quotations")}</h1>
    <p class="lead">${say.html("items.quotations-lead", { post: linkTo(displayPath(context, item)) })}</p>
    ${
      quotations.length === 0
        ? html`<p class="empty">${say("items.no-quotations")}</p>`
        : html`<ul class="card people">
            ${quotations.map((one) => row(context, item, one, people.get(one.person_id)))}
          </ul>`
    }`;
  return show(context, { title: say("items.quotations"), main });
}

function row(context: MemberContext, { uuid }: Item, quotation: Approval, author: User | undefined): Html {
  const fields = { approval: quotation.uuid };
  return html`<li class="person">
    <div class="person-words">
      <span class="name">${author?.xchan_name ?? context.say("items.somebody")}</span>
      <p class="about"><a href="${quotation.quoting}" rel="nofollow noopener">${quotation.quoting}</a></p>
    </div>
    ${buttonForm(context, `/item/${uuid}/quotations`, context.say("items.take-back"), { kind: "danger", fields })}
  </li>`;
}

async function takeBack(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member, params } = context;
  const { uuid } = await takeBackQuotation(hub, member.channel, { uuid: params["uuid"] ?? "" }, typed.text("approval"));
  return redirect(context, `/item/${uuid}/quotations`, "saved");
}
