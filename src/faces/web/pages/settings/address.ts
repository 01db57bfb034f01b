import { html } from "hono/html";
import { sendsMail } from "../../../../domain/mail/queue-mail.ts";
import { addressOfLink, askForAddress, takeAddress } from "../../../../domain/recovery/addresses.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { addressAsked, addressChanged, newAddress, newAddressPath } from "../../mails/addresses.ts";
import { checkPassword, passwordFields } from "../../own-password.ts";
import type { MemberContext, Page, PageContext } from "../../page.ts";
import { notice, useless } from "../../parts/account/consent.ts";
import { alert, textField, token } from "../../parts/forms.ts";

const account = "/settings/account";
const home = `${account}/address`;

/** Another e-mail address for the account. */
export const settingsAddressPages: Page[] = [
  { path: home, access: "member", whileMoved: true, get: (context) => page(context), post: ask },
  {
    path: `${newAddressPath}/:token`,
    access: "anybody",
    whileMoved: true,
    get: (context) => confirm(context),
    post: take,
  },
];

function ask(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member, address } = context;
  return tryForm(
    context,
    async () => {
      await checkPassword(context, typed);
      const words = { link: newAddress(hub, context.say), asked: addressAsked(context.say) };
      const isDone = await askForAddress(hub, member.account, { email: typed.text("email"), address }, words);
      if (isDone) return redirect(context, account, "saved");
      return notice(
        context,
        "Look into your mail",
        html`<p>
            A mail is on its way to ${typed.word("email")}. The link in it works for a day; until then nothing changes.
          </p>
          <p><a href="${account}">Account</a></p>`,
      );
    },
    (fault) => page(context, typed, fault),
  );
}

async function page(context: MemberContext, typed = new Fields(), fault?: Fault): Promise<Response> {
  const main = html`<p class="crumbs"><a href="/settings">Settings</a> <a href="${account}">Account</a></p>
    <form class="card form-page" method="post" action="${home}">
      <h1>Another address</h1>
      <p>
        You log in with it, and it gets the mails of the hub: now ${context.member.account.account_email}.
        ${
          sendsMail(context.hub)
            ? "The new one counts once you have opened the link in a mail to it."
            : "This hub sends no mail, so it cannot check that the new one is yours: type it with care."
        }
      </p>
      ${token(context)} ${alert(fault)}
      ${textField(context, { label: "New e-mail address", name: "email", type: "email", value: typed.text("email"), required: true, autocomplete: "email", fault })}
      ${passwordFields(context, { fault })}
      <p class="submit"><button class="button primary">Change it</button></p>
    </form>`;
  return show(context, { title: "Another address", main, status: fault?.status ?? 200 });
}

async function confirm(context: PageContext, fault?: Fault): Promise<Response> {
  const email = await addressOfLink(context.hub, context.params["token"] ?? "");
  if (email === undefined) return useless(context);
  const words = html`<form method="post">
    ${token(context)} ${alert(fault)}
    <p>You log in with ${email} from then on.</p>
    <p class="submit"><button class="button primary">Use this address</button></p>
  </form>`;
  return notice(context, "Your new address", words, fault?.status ?? 200);
}

function take(context: PageContext): Promise<Response> {
  return tryForm(
    context,
    async () => {
      await takeAddress(context.hub, context.params["token"] ?? "", addressChanged(context.say));
      return notice(context, "Your address is changed", html`<p><a href="${account}">Account</a></p>`);
    },
    (fault) => confirm(context, fault),
  );
}
