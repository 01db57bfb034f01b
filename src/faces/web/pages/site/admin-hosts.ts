import { hurryDeliveries } from "../../../../domain/delivery/operate.ts";
import { findHost, forgetHost, listHosts } from "../../../../domain/peers/host-list.ts";
import type { Host } from "../../../../domain/peers/host-list.ts";
import { setSiteBlock } from "../../../../domain/peers/site-blocks.ts";
import { unsetDate } from "../../../../http/dates.ts";
import { redirect, show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { buttonForm, textField } from "../../parts/forms.ts";
import { pager } from "../../parts/pager.ts";
import { time } from "../../parts/times.ts";
import { levelWords } from "../../parts/site/levels.ts";
import { adminHead } from "../../parts/site/admin-head.ts";

const perPage = 50;

/** Other hubs, for administrators; for everybody else these pages do not exist. */
export const adminHostsPages: Page[] = [
  { path: "/admin/hosts", access: "administrator", get: page },
  { path: "/admin/hosts/block", access: "administrator", post: block },
  { path: "/admin/hosts/forget", access: "administrator", post: forget },
  { path: "/admin/hosts/try", access: "administrator", post: tryNow },
];

async function page(context: MemberContext): Promise<Response> {
  const { say } = context;
  const text = context.query.word("q").toLowerCase();
  const found = await listHosts(context.hub, { after: context.query.word("before"), text, count: perPage + 1 });
  const hosts = found.slice(0, perPage);
  const main = html`${adminHead(context, say("admin.other-servers"))}
    <form class="card" method="get" action="/admin/hosts" role="search">
      ${textField(context, { label: say("admin.name"), name: "q", value: text, optional: false })}
      <p class="submit"><button class="button">${say("admin.find")}</button></p>
    </form>
    ${
      hosts.length === 0
        ? html`<p class="empty">${say("admin.there-are-none")}</p>`
        : html`<ul class="card people">
            ${hosts.map((host) => row(context, host))}
          </ul>`
    }
    ${pager(context, found.length > perPage ? hosts.at(-1)!.host : undefined, say("admin.more"))}`;
  return show(context, { title: say("admin.other-servers"), main });
}

function row(context: MemberContext, host: Host): Html {
  const { say } = context;
  const fields = { host: host.host };
  return html`<li class="person">
    <div class="person-words">
      <span class="name">${host.host}</span>
      <p class="about">${standing(context, host)}</p>
      ${host.last_error === "" ? "" : html`<p class="about">${lastFault(context, host)}</p>`}
    </div>
    <div class="person-actions">
      ${host.waiting > 0 ? buttonForm(context, "/admin/hosts/try", say("admin.try-now"), { fields }) : ""}
      ${buttonForm(context, "/admin/hosts/forget", say("admin.forget-faults"), { fields })}
      ${host.level === "suspend" ? html`<a class="button" href="/admin/blocks">${say("admin.host-blocked")}</a>` : buttonForm(context, "/admin/hosts/block", say("admin.block"), { fields, title: say("admin.block-hint") })}
    </div>
  </li>`;
}

/** How it is treated, and how it goes with it. */
function standing(context: MemberContext, host: Host): Html {
  const { say } = context;
  const more = [
    host.circuit === "dead" && say("admin.host-dead"),
    host.circuit === "open" && say("admin.host-open"),
    host.waiting > 0 && say("admin.host-waits", { count: host.waiting }),
    host.software !== "" && say("admin.host-runs", { software: `${host.software} ${host.software_version}`.trim() }),
  ].filter((words) => words !== false);
  const { people } = host;
  const about = say.html("admin.host-about", {
    level: levelWords(say, host),
    people,
    time: time(context, host.last_contact),
  });
  return html`${about}${more.map((words) => `; ${words}`)}`;
}

function lastFault(context: MemberContext, { last_failed: moment, last_error: fault }: Host): Html {
  return html`${fault}${moment === unsetDate ? "" : html`, ${time(context, moment)}`}`;
}

async function block({ hub, ...context }: MemberContext, form: Fields): Promise<Response> {
  const { host, noMedia } = await findHost(hub, form.word("host"));
  await setSiteBlock(hub, { domain: host, level: "suspend", noMedia });
  return redirect({ hub, ...context }, "/admin/hosts", "treated");
}

async function forget(context: MemberContext, form: Fields): Promise<Response> {
  await forgetHost(context.hub, form.word("host"));
  return redirect(context, "/admin/hosts", "forgotten");
}

async function tryNow(context: MemberContext, form: Fields): Promise<Response> {
  const { host } = await findHost(context.hub, form.word("host"));
  await hurryDeliveries(context.hub, host);
  return redirect(context, "/admin/hosts", "tried");
}
