import { sendsMail } from "../../../../domain/mail/queue-mail.ts";
import { addressOfLink, askForAddress, takeAddress } from "../../../../domain/recovery/addresses.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
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
  const { hub, member, address, say } = context;
  return tryForm(
    context,
    async () => {
      await checkPassword(context, typed);
      const words = { link: newAddress(hub, say), asked: addressAsked(say) };
      const isDone = await askForAddress(hub, member.account, { email: typed.text("email"), address }, words);
      if (isDone) return redirect(context, account, "saved");
      return notice(
        context,
        say("account.look-into-mail"),
        html`<p>${say("security.address-mailed", { email: typed.word("email") })}</p>
          <p><a href="${account}">${say("settings.account")}</a></p>`,
      );
    },
    (fault) => page(context, typed, fault),
  );
}

async function page(context: MemberContext, typed = new Fields(), fault?: Fault): Promise<Response> {
  const { say } = context;
  const main = html`<p class="crumbs">
      <a href="/settings">${say("settings.title")}</a> <a href="${account}">${say("settings.account")}</a>
    </p>
    <form class="card form-page" method="post" action="${home}">
      <h1>${say("security.another-address")}</h1>
      <p>
        ${say(sendsMail(context.hub) ? "security.address-lead" : "security.address-lead-unchecked", { email: context.member.account.account_email })}
      </p>
      ${token(context)} ${alert(fault)}
      ${textField(context, { label: say("security.new-address"), name: "email", type: "email", value: typed.text("email"), required: true, autocomplete: "email", fault })}
      ${passwordFields(context, { fault })}
      <p class="submit"><button class="button primary">${say("account.change-it")}</button></p>
    </form>`;
  return show(context, { title: say("security.another-address"), main, status: fault?.status ?? 200 });
}

async function confirm(context: PageContext, fault?: Fault): Promise<Response> {
  const { say } = context;
  const email = await addressOfLink(context.hub, context.params["token"] ?? "");
  if (email === undefined) return useless(context);
  const words = html`<form method="post">
    ${token(context)} ${alert(fault)}
    <p>${say("security.log-in-with", { email })}</p>
    <p class="submit"><button class="button primary">${say("security.use-address")}</button></p>
  </form>`;
  return notice(context, say("security.your-new-address"), words, fault?.status ?? 200);
}

function take(context: PageContext): Promise<Response> {
  const { say } = context;
  return tryForm(
    context,
    async () => {
      await takeAddress(context.hub, context.params["token"] ?? "", addressChanged(say));
      return notice(
        context,
        say("security.address-changed"),
        html`<p><a href="${account}">${say("settings.account")}</a></p>`,
      );
    },
    (fault) => confirm(context, fault),
  );
}
