import { html } from "hono/html";
import { endInvitation, pageOfInvitations } from "../../../../domain/invitations/invitations.ts";
import type { ListedInvitation } from "../../../../domain/invitations/invitations.ts";
import { hasCome } from "../../../../lasting.ts";
import { redirect, show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
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
  const { invitations, next } = await pageOfInvitations(context.hub, {
    before: context.query.number("before"),
    count: perPage,
  });
  const main = html`${adminHead("Invitations")}
    <p class="lead">
      Links by which members let others in. <a href="/admin/site">Who may make them</a> is set for the hub, and the page
      of each account says who has invited it.
    </p>
    ${
      invitations.length > 0
        ? html`<ul class="card people">
            ${invitations.map((invitation) => row(context, invitation))}
          </ul>`
        : html`<p class="empty">
            There are none. Your own are made under <a href="/settings/invitations">Invitations</a>.
          </p>`
    }
    ${pager(context, next)}`;
  return show(context, { title: "Invitations", main });
}

function row(context: MemberContext, invitation: ListedInvitation): Html {
  const { id, channel_name: name, channel_address: nick, note, uses, most_uses, created, expires } = invitation;
  const over = uses >= most_uses || hasCome(context.hub, expires);
  return html`<li class="person">
    <div class="person-words">
      <a class="name" href="/channel/${nick}">${name}</a>
      <p class="about">@${nick}${note === "" ? "" : `, for “${note}”`}</p>
      <p class="about">
        ${uses} of ${most_uses} have come; made ${time(context, created)};
        ${over ? "over" : html`until ${exactTime(context, expires)}`}
      </p>
    </div>
    <div class="person-actions">
      ${buttonForm(context, path, html`End<span class="unseen"> the invitation by ${name}</span>`, { fields: { id } })}
    </div>
  </li>`;
}

async function end(context: MemberContext, form: Fields): Promise<Response> {
  await endInvitation(context.hub, "anybody", idOf(form.word("id")));
  return redirect(context, path, "removed");
}
