import { html } from "hono/html";
import { probeElsewhere } from "../../../../domain/peers/scout.ts";
import type { ProbeStep } from "../../../../domain/peers/scout.ts";
import { show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
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
  const main = html`${adminHead("Reach somebody elsewhere")}
    <p class="lead">
      Goes through everything that has to work to find somebody, or a post, on another server, and shows what each step
      came to. Nothing of it is kept.
    </p>
    <form class="card form-page" method="post" action="/admin/probe">
      ${token(context)}
      ${textField(context, { label: "Address", name: "address", value: address, required: true, hint: "Such as name@example.org, or the address of a person or post." })}
      <p class="submit"><button class="button primary">Try it</button></p>
    </form>
    ${
      steps && steps.length > 0
        ? html`<ol class="card people" aria-label="Steps">
            ${steps.map(row)}
          </ol>`
        : ""
    }`;
  return show(context, { title: "Reach somebody elsewhere", main });
}

const names: Readonly<Record<ProbeStep["step"], string>> = {
  webfinger: "Who has the address",
  document: "The document",
  actor: "Who it is",
  keys: "Keys",
  address: "Does the address lead back?",
  inbox: "Inbox",
};

/** What was asked for has a status or none; what follows from it has only words. */
function row({ step, url, status, type, milliseconds, result }: ProbeStep): Html {
  const facts = [status === 0 ? "no answer" : String(status), type, `${milliseconds} ms`].filter((fact) => fact !== "");
  return html`<li class="person">
    <div class="person-words">
      <span class="name">${names[step]}</span>
      ${
        url === ""
          ? html`<p class="about">${result}</p>`
          : html`<p class="about">${url}</p>
              <p class="about">${facts.join(" · ")}${status === 0 ? `: ${result}` : ""}</p>`
      }
    </div>
  </li>`;
}
