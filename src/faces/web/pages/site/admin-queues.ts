import { html } from "hono/html";
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
  const { hub, query } = context;
  const [out, into, held, found] = await Promise.all([
    backlogOf(hub, "delivery"),
    backlogOf(hub, "inbox_activity"),
    countHeld(hub),
    listArrivals(hub, "failed", { after: query.number("before") ?? 0, count: perPage + 1 }),
  ]);
  const failed = found.slice(0, perPage);
  const main = html`${adminHead("From and to other servers")}
    <dl class="card figures">${figure("Due to go out", out)} ${figure("Came in and is due", into)}</dl>
    ${held > 0 ? heldSection(context, held) : ""}
    <h2>Came in and could not be processed</h2>
    ${
      failed.length > 0
        ? html`<p>${buttonForm(context, "/admin/queues/retry", "Try all again")}</p>
            <ul class="card people" aria-label="What could not be processed">
              ${failed.map((arrival) => row(context, arrival))}
            </ul>`
        : html`<p class="empty">Everything has taken effect, or is still tried.</p>`
    }
    ${pager(context, found.length > perPage ? failed.at(-1)!.id : undefined, "More")}`;
  return show(context, { title: "From and to other servers", main });
}

function figure(name: string, { due, oldest }: Backlog): Html {
  const minutes = Math.floor(oldest / 60);
  return html`<div>
    <dt>${name}</dt>
    <dd>${due}${minutes > 0 ? `, for ${minutes} min` : ""}</dd>
  </div>`;
}

/** Nothing that was on its way at the moment of a backup goes out by itself again (federation contract 18.1). */
function heldSection(context: MemberContext, held: number): Html {
  return html`<section class="card">
    <h2>Held since the hub was restored from a backup</h2>
    <p>
      ${held === 1 ? "1 delivery was" : `${held} deliveries were`} on the way when the backup was made. Others may have
      got them since, so you decide whether they go out once more.
    </p>
    <p class="row">
      ${buttonForm(context, "/admin/queues/held", "Send them", { kind: "primary", fields: { answer: "send" } })}
      ${buttonForm(context, "/admin/queues/held", "Give them up", { fields: { answer: "drop" } })}
    </p>
  </section>`;
}

function row(context: MemberContext, { id, activity_id, signer, received, attempts, last_error }: ListedArrival): Html {
  return html`<li class="person">
    <div class="person-words">
      <span class="name">${activity_id}</span>
      <p class="about">
        by ${signer}; came ${time(context, received)}, tried ${attempts === 1 ? "once" : `${attempts} times`}
      </p>
      <p class="about">${last_error}</p>
    </div>
    <div class="person-actions">
      ${buttonForm(context, "/admin/queues/retry", html`Try again<span class="unseen"> ${activity_id}</span>`, { fields: { id } })}
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
