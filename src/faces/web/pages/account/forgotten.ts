import { html } from "hono/html";
import { sendsMail } from "../../../../domain/mail/queue-mail.ts";
import { forgetPassword, offersNewPassword, recoverPassword } from "../../../../domain/recovery/forgotten-password.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { newPasswordPath, passwordChanged } from "../../mails/new-password.ts";
import type { Page, PageContext } from "../../page.ts";
import { notice, useless } from "../../parts/account/consent.ts";
import { passwordHint } from "../../parts/account/password-hint.ts";
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
  if (!sendsMail(context.hub)) return noMail(context);
  const main = html`<section class="card form-page">
    <h1>Forgotten your password?</h1>
    <p class="lead">You get a mail with a link to choose a new one.</p>
    <form method="post" action="/login/forgotten">
      ${token(context)} ${alert(fault)}
      ${textField({ label: "E-mail", name: "email", type: "email", value: typed.text("email"), required: true, autocomplete: "email", autofocus: true, fault })}
      <p class="submit"><button class="button primary">Send the mail</button> <a href="/login">Log in</a></p>
    </form>
  </section>`;
  return show(context, { title: "Forgotten password", main, status: fault?.status ?? 200 });
}

function noMail(context: PageContext): Promise<Response> {
  const words = html`<p>
      This hub sends no mail, so it cannot let you choose a new password by itself. Ask whoever runs it: they can give
      you a new one.
    </p>
    <p><a href="/login">Log in</a></p>`;
  return notice(context, "Forgotten your password?", words);
}

function take(context: PageContext, typed: Fields): Promise<Response> {
  if (!sendsMail(context.hub)) return noMail(context);
  return tryForm(
    async () => {
      if (!typed.word("email").includes("@")) throw fault("email", "This is not an e-mail address.");
      await forgetPassword(context.hub, typed.word("email"), context.address);
      const words = html`<p>
          If there is an account with this address, a mail is on its way. The link in it works for an hour.
        </p>
        <p>Nothing has come? Look among unwanted mail, and whether it was another address.</p>`;
      return notice(context, "Look into your mail", words);
    },
    (fault) => ask(context, typed, fault),
  );
}

async function choose(context: PageContext, fault?: Fault): Promise<Response> {
  if (!fault && !(await offersNewPassword(context.hub, context.params["token"] ?? "")))
    return useless(context, html`<p><a href="/login/forgotten">Ask for a new one</a></p>`);
  const main = html`<section class="card form-page">
    <h1>Choose a new password</h1>
    <p>All browsers are logged out then, applications lose their access, and guests need new links.</p>
    <form method="post">
      ${token(context)} ${alert(fault)}
      ${textField({ label: "New password", name: "password", type: "password", required: true, autocomplete: "new-password", hint: passwordHint, fault })}
      <p class="submit"><button class="button primary">Change it</button></p>
    </form>
  </section>`;
  return show(context, { title: "New password", main, status: fault?.status ?? 200 });
}

function change(context: PageContext, typed: Fields): Promise<Response> {
  return tryForm(
    async () => {
      await recoverPassword(context.hub, context.params["token"] ?? "", typed.text("password"), passwordChanged);
      return redirect(context, "/login", "password");
    },
    (fault) => choose(context, fault),
  );
}
