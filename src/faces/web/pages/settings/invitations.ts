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
import { html } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { alert, buttonForm, textField, token } from "../../parts/forms.ts";
import { time } from "../../parts/times.ts";
import { unseen } from "../../languages/say.ts";

/** Links by which the member lets people sign up. */
export const settingsInvitationsPages: Page[] = [
  { path: "/settings/invitations", access: "member", get: (context) => page(context), post: make },
  { path: "/settings/invitations/end", access: "member", post: end },
];

async function page(context: MemberContext, typed?: Fields, fault?: Fault): Promise<Response> {
  const { hub, member, say } = context;
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
    ${textField(context, { label: say("settings.for-whom"), name: "note", value: typed?.text("note") ?? "", hint: say("settings.only-you"), fault })}
    <div class="columns">
      ${number("uses", say("settings.how-many-people"), "1", mostUses)}
      ${number("days", say("settings.how-many-days"), "7", mostDays)}
    </div>
    <p class="submit"><button class="button primary">${say("settings.make-a-link")}</button></p>
  </form>`;
  const main = html`<p class="crumbs"><a href="/settings">${say("settings.title")}</a></p>
    <h1>${say("settings.invitations")}</h1>
    <p class="lead">${say("settings.invitations-lead")}</p>
    ${may ? form : html`<p class="alert">${say("settings.may-not-invite")}</p>`}
    ${
      invitations.length > 0
        ? html`<ul class="card people" aria-label="${say("settings.invitations")}">
            ${invitations.map((one) => row(context, one))}
          </ul>`
        : html`<p class="empty">${say("settings.invitations-none")}</p>`
    }`;
  return show(context, { title: say("settings.invitations"), main, status: fault?.status ?? 200 });
}

function row(context: MemberContext, { id, token: secret, note, uses, most_uses, expires }: Invitation): Html {
  const { say } = context;
  const name = note || say("settings.invitation");
  const isPast = storedMoment(expires) <= context.hub.clock();
  const isOver = uses >= most_uses || isPast;
  return html`<li class="person">
    <div class="person-words">
      <span class="name">${name}</span>
      <p class="about">
        ${say.html(isPast ? "settings.uses-ended" : "settings.uses-until", { uses, most: most_uses, when: time(context, expires) })}
      </p>
      ${
        isOver
          ? ""
          : html`<input
              class="link-to-copy"
              readonly
              aria-label="${say("settings.link-of-invitation")}"
              value="${context.hub.config.baseUrl}/invite/${secret}"
            />`
      }
    </div>
    <div class="person-actions">
      ${buttonForm(context, "/settings/invitations/end", say.html(isOver ? "settings.remove-named" : "settings.end-named", { name, unseen }), { fields: { id } })}
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
