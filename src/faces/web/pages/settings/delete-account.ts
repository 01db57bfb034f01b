import { removeAccount } from "../../../../domain/connections/remove-account.ts";
import { isLastAdministrator } from "../../../../domain/identity/accounts/accounts.ts";
import { listChannels } from "../../../../domain/identity/channels/channels.ts";
import { refusal } from "../../../../errors.ts";
import { messageOf } from "../../../../refusals/messages.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { accountRemoved } from "../../mails/addresses.ts";
import { checkPassword, passwordFields } from "../../own-password.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { alert, box, token } from "../../parts/forms.ts";
import { endSession } from "../../session.ts";
import { linkTo } from "../../languages/say.ts";

const home = "/settings/account/delete";

/** The end of an account, with everything that it has here. */
export const settingsDeletePages: Page[] = [
  { path: home, access: "member", whileMoved: true, get: (context) => page(context), post: remove },
];

function remove(context: MemberContext, typed: Fields): Promise<Response> {
  const { say } = context;
  return tryForm(
    context,
    async () => {
      if (!typed.has("sure")) throw fault("sure", say("security.tick-sure"));
      await checkPassword(context, typed);
      await removeAccount(context.hub, context.member.account, accountRemoved(say));
      await endSession(context);
      return redirect(context, "/", "goodbye");
    },
    (fault) => page(context, typed, fault),
  );
}

async function page(context: MemberContext, typed = new Fields(), fault?: Fault): Promise<Response> {
  const { hub, member, say } = context;
  const channels = await listChannels(hub, member.account.account_id);
  const main = html`<p class="crumbs">
      <a href="/settings">${say("settings.title")}</a> <a href="/settings/account">${say("settings.account")}</a>
    </p>
    <section class="card form-page">
      <h1>${say("security.delete-everything")}</h1>
      <p class="lead">${say("security.delete-lead")}</p>
      <ul>
        ${channels.map(({ channel_name, channel_address }) => html`<li>${channel_name} (${channel_address})</li>`)}
      </ul>
      <p>${say.html("security.delete-means", { export: linkTo("/uexport") })}</p>
      ${(await isLastAdministrator(hub, member.account.account_id)) ? lastAdministrator(context) : form(context, typed, fault)}
    </section>`;
  return show(context, { title: say("security.delete-everything"), main, status: fault?.status ?? 200 });
}

/** Nobody types a password for what would be refused. */
function lastAdministrator({ language }: MemberContext): Html {
  return html`<p class="alert">${messageOf(language.messages, refusal("last_administrator"))}</p>`;
}

function form(context: MemberContext, typed: Fields, fault: Fault | undefined): Html {
  const { say } = context;
  return html`<form method="post" action="${home}">
    ${token(context)} ${alert(fault)}
    ${box({ label: say("security.i-am-sure"), name: "sure", checked: typed.has("sure") })}
    ${passwordFields(context, { fault })}
    <p class="submit"><button class="button danger">${say("security.delete-everything")}</button></p>
  </form>`;
}
