import { acceptInvitation, inviterBy } from "../../../../domain/invitations/invitations.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { Page, PageContext } from "../../page.ts";
import { enterNew, newcomerFields, newcomerIn, withOtherFaults } from "../../parts/account/newcomer.ts";
import { avatar } from "../../parts/channels/person.ts";
import { alert, token } from "../../parts/forms.ts";

/** Signing up with the link of somebody who invites. */
export const invitedPages: Page[] = [
  { path: "/invite/:token", access: "anybody", get: (context) => form(context), post: take },
];

function tokenOf({ params }: PageContext): string {
  return params["token"] ?? "";
}

async function take(context: PageContext, typed: Fields): Promise<Response> {
  if (context.member) return redirect(context, "/network");
  return tryForm(
    context,
    async () =>
      enterNew(
        context,
        await acceptInvitation(context.hub, tokenOf(context), newcomerIn(context, typed), context.language.tag),
      ),
    async (fault) => form(context, typed, await withOtherFaults(context, typed, fault, { invited: true })),
  );
}

async function form(context: PageContext, typed = new Fields(), fault?: Fault): Promise<Response> {
  const { say } = context;
  const found = await inviterBy(context.hub, tokenOf(context));
  if (!found) return over(context);
  const { channel_name: name, channel_id: id, channel_address: nick } = found.inviter;
  const member = context.member
    ? html`<p class="alert">${say.html("account.invited-member", { name, page: linkTo(`/channel/${nick}`) })}</p>`
    : "";
  const main = html`<section class="card form-page">
    <div class="inviter">
      ${avatar(context, `${context.hub.config.baseUrl}/photo/profile/m/${id}`)}
      <h1>${say("account.invites", { name, site: context.site.name })}</h1>
    </div>
    <p class="lead">${say("account.invites-lead", { name })}</p>
    ${member}
    <form method="post">
      ${token(context)} ${alert(fault)} ${newcomerFields(context, typed, fault)}
      <p class="submit">
        <button class="button primary">${say("account.join")}</button>
        <a href="/login">${say("account.have-account")}</a>
      </p>
    </form>
  </section>`;
  return show(context, { title: say("account.invitation"), main, status: fault?.status ?? 200 });
}

async function over(context: PageContext): Promise<Response> {
  const { say } = context;
  const main = html`<section class="card notice-page">
    <h1>${say("account.invitation-over")}</h1>
    <p>${say("account.invitation-over-why")}</p>
    <p><a class="button" href="/">${say("account.to-front")}</a></p>
  </section>`;
  return show(context, { title: say("account.invitation"), main, status: 404 });
}
