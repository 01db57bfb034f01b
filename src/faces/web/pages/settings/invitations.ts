import { html } from "hono/html";
import {
  endInvitation,
  invite,
  listInvitations,
  mayInvite,
  mostDays,
  mostUses,
} from "../../../../domain/invitations/invitations.ts";
import type { Invitation } from "../../../../domain/invitations/invitations.ts";
import { storedMoment } from "../../../../http/dates.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { alert, buttonForm, textField, token } from "../../parts/forms.ts";
import { time } from "../../parts/times.ts";

/** Links by which the member lets people sign up. */
export const settingsInvitationsPages: Page[] = [
  { path: "/settings/invitations", access: "member", get: (context) => page(context), post: make },
  { path: "/settings/invitations/end", access: "member", post: end },
];

async function page(context: MemberContext, typed?: Fields, fault?: Fault): Promise<Response> {
  const { hub, member } = context;
  const [invitations, may] = await Promise.all([
    listInvitations(hub, member.channel.channel_id),
    mayInvite(hub, member.account),
  ]);
  const number = (name: string, label: string, usual: string, most: number): Html =>
    textField(context, {
      label,
      name,
      type: "number",
      min: 1,
      max: most,
      value: typed?.text(name) ?? usual,
      required: true,
      fault,
    });
  const form = html`<form class="card form-page" method="post" action="/settings/invitations">
    ${token(context)} ${alert(fault)}
    ${textField(context, { label: "For whom?", name: "note", value: typed?.text("note") ?? "", hint: "Only you see this.", fault })}
    <div class="columns">
      ${number("uses", "How many people?", "1", mostUses)} ${number("days", "For how many days?", "7", mostDays)}
    </div>
    <p class="submit"><button class="button primary">Make a link</button></p>
  </form>`;
  const main = html`<p class="crumbs"><a href="/settings">Settings</a></p>
    <h1>Invitations</h1>
    <p class="lead">
      Whoever opens such a link can make an account on this hub, and is then connected with you. Send it only to people
      for whom you would vouch.
    </p>
    ${may ? form : html`<p class="alert">At the moment you cannot invite people to this hub.</p>`}
    ${
      invitations.length > 0
        ? html`<ul class="card people" aria-label="Invitations">
            ${invitations.map((one) => row(context, one))}
          </ul>`
        : html`<p class="empty">You have invited nobody yet. Your links stand here, with a button to end each.</p>`
    }`;
  return show(context, { title: "Invitations", main, status: fault?.status ?? 200 });
}

function row(context: MemberContext, { id, token: secret, note, uses, most_uses, expires }: Invitation): Html {
  const isOver = uses >= most_uses || storedMoment(expires) <= context.hub.clock();
  return html`<li class="person">
    <div class="person-words">
      <span class="name">${note || "Invitation"}</span>
      <p class="about">
        ${uses} of ${most_uses} used, ${storedMoment(expires) <= context.hub.clock() ? "ended" : "until"}
        ${time(context, expires)}
      </p>
      ${
        isOver
          ? ""
          : html`<input
              class="link-to-copy"
              readonly
              aria-label="Link to hand out"
              value="${context.hub.config.baseUrl}/invite/${secret}"
            />`
      }
    </div>
    <div class="person-actions">
      ${buttonForm(context, "/settings/invitations/end", html`${isOver ? "Remove" : "End"}<span class="unseen"> ${note || "invitation"}</span>`, { fields: { id } })}
    </div>
  </li>`;
}

async function make(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    context,
    async () => {
      const [uses, days] = [typed.number("uses") ?? 0, typed.number("days") ?? 0];
      await invite(context.hub, context.member, { note: typed.text("note"), uses, days });
      return redirect(context, "/settings/invitations", "invited");
    },
    (fault) => page(context, typed, fault),
  );
}

async function end(context: MemberContext, form: Fields): Promise<Response> {
  await endInvitation(context.hub, context.member.channel.channel_id, idOf(form.text("id")));
  return redirect(context, "/settings/invitations", "removed");
}
