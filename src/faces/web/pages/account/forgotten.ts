import { sendsMail } from "../../../../domain/mail/queue-mail.ts";
import { forgetPassword, offersNewPassword, recoverPassword } from "../../../../domain/recovery/forgotten-password.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { newPasswordPath, passwordChanged } from "../../mails/new-password.ts";
import type { Page, PageContext } from "../../page.ts";
import { notice, useless } from "../../parts/account/consent.ts";
import { alert, textField, token } from "../../parts/forms.ts";

/** A new password for somebody who does not know the old one. What is answered never depends on who has an account here. */
export const forgottenPages: Page[] = [
  { path: "/login/forgotten", access: "anybody", whileMoved: true, get: (context) => ask(context), post: take },
  {
    path: `${newPasswordPath}/:token`,
    access: "anybody",
    whileMoved: true,
    get: (context) => choose(context),
    post: change,
  },
];

async function ask(context: PageContext, typed = new Fields(), fault?: Fault): Promise<Response> {
  const { say } = context;
  if (!sendsMail(context.hub)) return noMail(context);
  const main = html`<section class="card form-page">
    <h1>${say("account.forgotten")}</h1>
    <p class="lead">${say("account.forgotten-lead")}</p>
    <form method="post" action="/login/forgotten">
      ${token(context)} ${alert(fault)}
      ${textField(context, { label: say("account.email"), name: "email", type: "email", value: typed.text("email"), required: true, autocomplete: "email", autofocus: true, fault })}
      <p class="submit">
        <button class="button primary">${say("account.send-mail")}</button>
        <a href="/login">${say("account.log-in")}</a>
      </p>
    </form>
  </section>`;
  return show(context, { title: say("account.forgotten-title"), main, status: fault?.status ?? 200 });
}

function noMail(context: PageContext): Promise<Response> {
  const { say } = context;
  const words = html`<p>${say("account.no-mail")}</p>
    <p><a href="/login">${say("account.log-in")}</a></p>`;
  return notice(context, say("account.forgotten"), words);
}

function take(context: PageContext, typed: Fields): Promise<Response> {
  const { say } = context;
  if (!sendsMail(context.hub)) return noMail(context);
  return tryForm(
    context,
    async () => {
      if (!typed.word("email").includes("@")) throw fault("email", say("account.not-an-email"));
      const asked = { email: typed.word("email"), language: context.language.tag };
      await forgetPassword(context.hub, asked, context.address);
      const words = html`<p>${say("account.mail-on-its-way")}</p>
        <p>${say("account.mail-missing")}</p>`;
      return notice(context, say("account.look-into-mail"), words);
    },
    (fault) => ask(context, typed, fault),
  );
}

async function choose(context: PageContext, fault?: Fault): Promise<Response> {
  const { say } = context;
  if (!fault && !(await offersNewPassword(context.hub, context.params["token"] ?? "")))
    return useless(context, html`<p><a href="/login/forgotten">${say("account.ask-again")}</a></p>`);
  const main = html`<section class="card form-page">
    <h1>${say("account.choose-password")}</h1>
    <p>${say("account.choose-password-lead")}</p>
    <form method="post">
      ${token(context)} ${alert(fault)}
      ${textField(context, { label: say("account.new-password"), name: "password", type: "password", required: true, autocomplete: "new-password", hint: say("account.password-hint"), fault })}
      <p class="submit"><button class="button primary">${say("account.change-it")}</button></p>
    </form>
  </section>`;
  return show(context, { title: say("account.new-password"), main, status: fault?.status ?? 200 });
}

function change(context: PageContext, typed: Fields): Promise<Response> {
  return tryForm(
    context,
    async () => {
      await recoverPassword(context.hub, context.params["token"] ?? "", typed.text("password"), (paused) =>
        passwordChanged(context.say, paused),
      );
      return redirect(context, "/login", "password");
    },
    (fault) => choose(context, fault),
  );
}
