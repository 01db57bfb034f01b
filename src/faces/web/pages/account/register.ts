import { html } from "hono/html";
import { accountFlags } from "../../../../domain/identity/accounts/accounts.ts";
import type { Account } from "../../../../domain/identity/accounts/accounts.ts";
import { hasAccounts } from "../../../../domain/identity/accounts/setup.ts";
import { sendsMail } from "../../../../domain/mail/queue-mail.ts";
import { confirmAddress, isConfirmation, signUpByMail } from "../../../../domain/recovery/addresses.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { confirmation, confirmationPath } from "../../mails/addresses.ts";
import type { Html, Page, PageContext } from "../../page.ts";
import { notice, useless } from "../../parts/account/consent.ts";
import { passwordHint } from "../../parts/account/password-hint.ts";
import { alert, textField, token } from "../../parts/forms.ts";
import { startSession } from "../../session.ts";

/** Signing up, by the rule of the site. */
export const registerPages: Page[] = [
  { path: "/register", access: "anybody", get: (context) => form(context), post: take },
  {
    path: `${confirmationPath}/:token`,
    access: "anybody",
    whileMoved: true,
    get: (context) => askToConfirm(context),
    post: takeConfirmation,
  },
];

async function take(context: PageContext, typed: Fields): Promise<Response> {
  if (!(await hasAccounts(context.hub))) return form(context, typed);
  return tryForm(
    async () => {
      const fields = {
        email: typed.text("email"),
        password: typed.text("password"),
        nick: typed.text("nick"),
        name: typed.text("name"),
        address: context.address,
      };
      const { account, ...caller } = await signUpByMail(context.hub, fields, confirmation(context.hub));
      if (account.account_flags !== 0) return waiting(context, account);
      await startSession(context, { ...caller, account });
      return redirect(context, "/network", "welcome");
    },
    (fault) => form(context, typed, fault),
  );
}

async function form(context: PageContext, typed = new Fields(), fault?: Fault): Promise<Response> {
  if (context.member) return redirect(context, "/new_channel");
  // The first account is the administrator's: it comes from the set-up link alone.
  if (!(await hasAccounts(context.hub)))
    return closed(
      context,
      html`<p>This hub is not set up yet. Its operator finds the set-up link in the terminal.</p>`,
    );
  if (context.site.registration === "closed")
    return closed(context, html`<p>This hub does not take new accounts at the moment.</p>`);
  const main = html`<section class="card form-page">
    <h1>Join ${context.site.name}</h1>
    <p class="lead">
      One account, as many channels as you like.
      ${context.site.registration === "approval" ? "The administrator looks at each request first." : ""}
    </p>
    <form method="post">
      ${token(context)} ${alert(fault)}
      ${textField({ label: "E-mail", name: "email", type: "email", value: typed.text("email"), required: true, autocomplete: "email", hint: sendsMail(context.hub) ? "Others do not see it. You get a mail to confirm it." : "Others do not see it.", fault })}
      ${textField({ label: "Password", name: "password", type: "password", required: true, autocomplete: "new-password", hint: passwordHint, fault })}
      ${textField({ label: "Name", name: "name", value: typed.text("name"), required: true, autocomplete: "name", hint: "As others see it. You can change it later.", fault })}
      ${textField({ label: "Nick", name: "nick", value: typed.text("nick"), required: true, autocomplete: "username", hint: html`Your address will be <code>nick@${context.hub.config.host}</code>. It stays.`, fault })}
      <p class="submit"><button class="button primary">Join</button> <a href="/login">I have an account</a></p>
    </form>
  </section>`;
  return show(context, { title: "Join", main, status: fault?.status ?? 200 });
}

async function waiting(context: PageContext, { account_email, account_flags: flags }: Account): Promise<Response> {
  const main = html`<section class="card notice-page">
    <h1>Thank you!</h1>
    ${
      flags & accountFlags.unverified
        ? html`<p>
            A mail is on its way to ${account_email}. Open the link in it within a week, and the account can be used.
            Nothing has come? Look among unwanted mail, or <a href="/login/forgotten">ask for another link</a>.
          </p>`
        : ""
    }
    ${
      flags & accountFlags.pending
        ? html`<p>
            Your account is waiting for the administrator's approval. As soon as it is given you can
            <a href="/login">log in</a>.
          </p>`
        : ""
    }
  </section>`;
  return show(context, { title: "Thank you", main });
}

async function askToConfirm(context: PageContext, wrong?: Fault): Promise<Response> {
  if (!wrong && !(await isConfirmation(context.hub, context.params["token"] ?? ""))) return useless(context);
  const words = html`<form method="post">
    ${token(context)} ${alert(wrong)}
    <p class="submit"><button class="button primary">This address is mine</button></p>
  </form>`;
  return notice(context, "Confirm your address", words, wrong?.status ?? 200);
}

function takeConfirmation(context: PageContext): Promise<Response> {
  return tryForm(
    async () => {
      await confirmAddress(context.hub, context.params["token"] ?? "");
      return redirect(context, "/login", "confirmed");
    },
    (fault) => askToConfirm(context, fault),
  );
}

async function closed(context: PageContext, words: Html): Promise<Response> {
  return show(context, {
    title: "Join",
    status: 403,
    main: html`<section class="card notice-page">
      <h1>Not now</h1>
      ${words}
    </section>`,
  });
}
