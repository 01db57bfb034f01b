import { probeElsewhere } from "../../../../domain/peers/scout.ts";
import type { ProbeStep } from "../../../../domain/peers/scout.ts";
import { show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { textField, token } from "../../parts/forms.ts";
import { adminHead } from "../../parts/site/admin-head.ts";

/** Why somebody elsewhere cannot be reached, step by step; for administrators (federation contract 17). */
export const adminProbePages: Page[] = [
  { path: "/admin/probe", access: "administrator", get: (context) => page(context), post: probe },
];

async function probe(context: MemberContext, typed: Fields): Promise<Response> {
  const address = typed.word("address");
  return page(context, address, address === "" ? [] : await probeElsewhere(context.hub, address));
}

async function page(context: MemberContext, address = "", steps?: readonly ProbeStep[]): Promise<Response> {
  const { say } = context;
  const main = html`${adminHead(context, say("admin.reach-somebody-elsewhere"))}
    <p class="lead">${say("admin.goes-through-everything-that-has-to")}</p>
    <form class="card form-page" method="post" action="/admin/probe">
      ${token(context)}
      ${textField(context, { label: say("admin.address"), name: "address", value: address, required: true, hint: say("admin.such-as-name-example-org-or-hint") })}
      <p class="submit"><button class="button primary">${say("admin.try-it")}</button></p>
    </form>
    ${
      steps && steps.length > 0
        ? html`<ol class="card people" aria-label="${say("admin.steps")}">
            ${steps.map((step) => row(context, step))}
          </ol>`
        : ""
    }`;
  return show(context, { title: say("admin.reach-somebody-elsewhere"), main });
}

/** What was asked for has a status or none; what follows from it has only words. */
function row(context: MemberContext, { step, url, status, type, milliseconds, result }: ProbeStep): Html {
  const { say } = context;
  const facts = [status === 0 ? say("admin.no-answer") : String(status), type, `${milliseconds} ms`].filter(
    (fact) => fact !== "",
  );
  return html`<li class="person">
    <div class="person-words">
      <span class="name">${say(`admin.probe-${step}`)}</span>
      ${
        url === ""
          ? html`<p class="about">${result}</p>`
          : html`<p class="about">${url}</p>
              <p class="about">${facts.join(" · ")}${status === 0 ? `: ${result}` : ""}</p>`
      }
    </div>
  </li>`;
}
