import { endInvitation, pageOfInvitations } from "../../../../domain/invitations/invitations.ts";
import type { ListedInvitation } from "../../../../domain/invitations/invitations.ts";
import { hasCome } from "../../../../lasting.ts";
import { redirect, show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { buttonForm } from "../../parts/forms.ts";
import { pager } from "../../parts/pager.ts";
import { adminHead } from "../../parts/site/admin-head.ts";
import { exactTime, time } from "../../parts/times.ts";

const path = "/admin/invitations";
const perPage = 50;

/** Who invites people, and how many have come; for administrators. */
export const adminInvitationsPages: Page[] = [{ path, access: "administrator", get: page, post: end }];

async function page(context: MemberContext): Promise<Response> {
  const { say } = context;
  const { invitations, next } = await pageOfInvitations(context.hub, {
    before: context.query.number("before"),
    count: perPage,
  });
  const main = html`${adminHead(context, say("admin.invitations"))}
    <p class="lead">${say.html("admin.invitations-lead", { site: linkTo("/admin/site") })}</p>
    ${
      invitations.length > 0
        ? html`<ul class="card people">
            ${invitations.map((invitation) => row(context, invitation))}
          </ul>`
        : html`<p class="empty">${say.html("admin.invitations-none", { own: linkTo("/settings/invitations") })}</p>`
    }
    ${pager(context, next)}`;
  return show(context, { title: say("admin.invitations"), main });
}

function row(context: MemberContext, invitation: ListedInvitation): Html {
  const { say } = context;
  const { id, channel_name: name, channel_address: nick, note, uses, most_uses, created, expires } = invitation;
  const come = { uses, most: most_uses, made: time(context, created) };
  const over = uses >= most_uses || hasCome(context.hub, expires);
  return html`<li class="person">
    <div class="person-words">
      <a class="name" href="/channel/${nick}">${name}</a>
      <p class="about">${note === "" ? `@${nick}` : say("admin.invitation-for", { nick, note })}</p>
      <p class="about">
        ${over ? say.html("admin.invitation-over", come) : say.html("admin.invitation-until", { ...come, until: exactTime(context, expires) })}
      </p>
    </div>
    <div class="person-actions">
      ${buttonForm(context, path, html`${say("admin.end")}<span class="unseen"> ${say("admin.end-of", { name })}</span>`, { fields: { id } })}
    </div>
  </li>`;
}

async function end(context: MemberContext, form: Fields): Promise<Response> {
  await endInvitation(context.hub, "anybody", idOf(form.word("id")));
  return redirect(context, path, "removed");
}
