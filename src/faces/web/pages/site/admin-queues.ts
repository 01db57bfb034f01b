import { backlogOf } from "../../../../domain/delivery/backlog.ts";
import type { Backlog } from "../../../../domain/delivery/backlog.ts";
import {
  countHeld,
  dropDeliveries,
  listArrivals,
  retryArrivals,
  retryHeld,
} from "../../../../domain/delivery/operate.ts";
import type { ListedArrival } from "../../../../domain/delivery/operate.ts";
import { redirect, show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { buttonForm } from "../../parts/forms.ts";
import { pager } from "../../parts/pager.ts";
import { time } from "../../parts/times.ts";
import { adminHead } from "../../parts/site/admin-head.ts";

const perPage = 50;

/** What goes to other servers and came from them, as far as somebody has to look after it; for administrators. */
export const adminQueuesPages: Page[] = [
  { path: "/admin/queues", access: "administrator", get: page },
  { path: "/admin/queues/held", access: "administrator", post: decide },
  { path: "/admin/queues/retry", access: "administrator", post: retry },
];

async function page(context: MemberContext): Promise<Response> {
  const { hub, query, say } = context;
  const [out, into, held, found] = await Promise.all([
    backlogOf(hub, "delivery"),
    backlogOf(hub, "inbox_activity"),
    countHeld(hub),
    listArrivals(hub, "failed", { after: query.number("before") ?? 0, count: perPage + 1 }),
  ]);
  const failed = found.slice(0, perPage);
  const main = html`${adminHead(context, say("admin.from-and-to-other-servers"))}
    <dl class="card figures">
      ${figure(context, say("admin.due-to-go-out"), out)} ${figure(context, say("admin.came-in-and-is-due"), into)}
    </dl>
    ${held > 0 ? heldSection(context, held) : ""}
    <h2>${say("admin.came-in-and-could-not-be")}</h2>
    ${
      failed.length > 0
        ? html`<div class="submit">${buttonForm(context, "/admin/queues/retry", say("admin.try-all-again"))}</div>
            <ul class="card people" aria-label="${say("admin.what-could-not-be-processed")}">
              ${failed.map((arrival) => row(context, arrival))}
            </ul>`
        : html`<p class="empty">${say("admin.everything-has-taken-effect-or-is")}</p>`
    }
    ${pager(context, found.length > perPage ? failed.at(-1)!.id : undefined, say("admin.more"))}`;
  return show(context, { title: say("admin.from-and-to-other-servers"), main });
}

function figure({ say }: MemberContext, name: string, { due, oldest }: Backlog): Html {
  const minutes = Math.floor(oldest / 60);
  return html`<div>
    <dt>${name}</dt>
    <dd>${minutes > 0 ? say("admin.backlog", { due, minutes }) : due}</dd>
  </div>`;
}

/** Nothing that was on its way at the moment of a backup goes out by itself again (federation contract 18.1). */
function heldSection(context: MemberContext, held: number): Html {
  const { say } = context;
  return html`<section class="card">
    <h2>${say("admin.held-since-the-hub-was-restored")}</h2>
    <p>${say("admin.held-lead", { count: held })}</p>
    <div class="row">
      ${buttonForm(context, "/admin/queues/held", say("admin.send-them"), { kind: "primary", fields: { answer: "send" } })}
      ${buttonForm(context, "/admin/queues/held", say("admin.give-them-up"), { fields: { answer: "drop" } })}
    </div>
  </section>`;
}

function row(context: MemberContext, { id, activity_id, signer, received, attempts, last_error }: ListedArrival): Html {
  const { say } = context;
  return html`<li class="person">
    <div class="person-words">
      <span class="name">${activity_id}</span>
      <p class="about">
        ${say.html("admin.arrival-about", { signer, time: time(context, received), tries: attempts })}
      </p>
      <p class="about">${last_error}</p>
    </div>
    <div class="person-actions">
      ${buttonForm(context, "/admin/queues/retry", html`${say("admin.try-again")}<span class="unseen"> ${activity_id}</span>`, { fields: { id } })}
    </div>
  </li>`;
}

async function decide(context: MemberContext, form: Fields): Promise<Response> {
  const sends = form.text("answer") === "send";
  if (sends) await retryHeld(context.hub);
  else if (form.text("answer") === "drop") await dropDeliveries(context.hub);
  return redirect(context, "/admin/queues", sends ? "tried" : "dropped");
}

async function retry(context: MemberContext, form: Fields): Promise<Response> {
  const id = form.number("id");
  await retryArrivals(context.hub, id === undefined ? undefined : [id]);
  return redirect(context, "/admin/queues", "tried");
}
