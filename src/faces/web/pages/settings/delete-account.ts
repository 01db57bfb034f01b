import { html } from "hono/html";
import { removeAccount } from "../../../../domain/connections/remove-account.ts";
import { listChannels } from "../../../../domain/identity/channels/channels.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { accountRemoved } from "../../mails/addresses.ts";
import { checkPassword, passwordFields } from "../../own-password.ts";
import type { MemberContext, Page } from "../../page.ts";
import { alert, box, token } from "../../parts/forms.ts";
import { endSession } from "../../session.ts";

const home = "/settings/account/delete";

/** The end of an account, with everything that it has here. */
export const settingsDeletePages: Page[] = [
  { path: home, access: "member", whileMoved: true, get: (context) => page(context), post: remove },
];

function remove(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    context,
    async () => {
      if (!typed.has("sure")) throw fault("sure", "Tick that you are sure.");
      await checkPassword(context, typed);
      await removeAccount(context.hub, context.member.account, accountRemoved(context.say));
      await endSession(context);
      return redirect(context, "/", "goodbye");
    },
    (fault) => page(context, fault),
  );
}

async function page(context: MemberContext, fault?: Fault): Promise<Response> {
  const channels = await listChannels(context.hub, context.member.account.account_id);
  const main = html`<p class="crumbs"><a href="/settings">Settings</a> <a href="/settings/account">Account</a></p>
    <form class="card form-page" method="post" action="${home}">
      <h1>Delete everything</h1>
      <p class="lead">Your account is deleted, with these channels and all that they wrote and stored here:</p>
      <ul>
        ${channels.map(({ channel_name, channel_address }) => html`<li>${channel_name} (${channel_address})</li>`)}
      </ul>
      <p>
        Other hubs are asked to delete what they have of you; whether they do is up to them. Nobody can bring it back,
        and nobody gets your nicks. <a href="/uexport">Take everything along</a> first if you may want it again.
      </p>
      ${token(context)} ${alert(fault)} ${box({ label: "I am sure", name: "sure", checked: false })}
      ${passwordFields(context, { fault })}
      <p class="submit"><button class="button danger">Delete everything</button></p>
    </form>`;
  return show(context, { title: "Delete everything", main, status: fault?.status ?? 200 });
}
