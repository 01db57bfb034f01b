import { removeAccount } from "../../../../domain/connections/remove-account.ts";
import { listChannels } from "../../../../domain/identity/channels/channels.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { accountRemoved } from "../../mails/addresses.ts";
import { checkPassword, passwordFields } from "../../own-password.ts";
import type { MemberContext, Page } from "../../page.ts";
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
    (fault) => page(context, fault),
  );
}

async function page(context: MemberContext, fault?: Fault): Promise<Response> {
  const { say } = context;
  const channels = await listChannels(context.hub, context.member.account.account_id);
  const main = html`<p class="crumbs">
      <a href="/settings">${say("settings.title")}</a> <a href="/settings/account">${say("settings.account")}</a>
    </p>
    <form class="card form-page" method="post" action="${home}">
      <h1>${say("security.delete-everything")}</h1>
      <p class="lead">${say("security.delete-lead")}</p>
      <ul>
        ${channels.map(({ channel_name, channel_address }) => html`<li>${channel_name} (${channel_address})</li>`)}
      </ul>
      <p>${say.html("security.delete-means", { export: linkTo("/uexport") })}</p>
      ${token(context)} ${alert(fault)} ${box({ label: say("security.i-am-sure"), name: "sure", checked: false })}
      ${passwordFields(context, { fault })}
      <p class="submit"><button class="button danger">${say("security.delete-everything")}</button></p>
    </form>`;
  return show(context, { title: say("security.delete-everything"), main, status: fault?.status ?? 200 });
}
