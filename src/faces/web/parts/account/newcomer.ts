import { html } from "hono/html";
import { accountFlags } from "../../../../domain/identity/accounts/accounts.ts";
import type { Account } from "../../../../domain/identity/accounts/accounts.ts";
import type { Caller } from "../../../../domain/identity/accounts/caller.ts";
import type { SignUp } from "../../../../domain/identity/accounts/register.ts";
import { sendsMail } from "../../../../domain/mail/queue-mail.ts";
import { redirect, show } from "../../answers.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { Html, PageContext } from "../../page.ts";
import { startSession } from "../../session.ts";
import { textField } from "../forms.ts";
import { passwordHint } from "./password-hint.ts";

/** What somebody types who signs up. */
export function newcomerFields({ hub }: PageContext, typed: Fields, fault: Fault | undefined): Html {
  return html`${textField({ label: "E-mail", name: "email", type: "email", value: typed.text("email"), required: true, autocomplete: "email", hint: sendsMail(hub) ? "Others do not see it. You get a mail to confirm it." : "Others do not see it.", fault })}
  ${textField({ label: "Password", name: "password", type: "password", required: true, autocomplete: "new-password", hint: passwordHint, fault })}
  ${textField({ label: "Name", name: "name", value: typed.text("name"), required: true, autocomplete: "name", hint: "As others see it. You can change it later.", fault })}
  ${textField({ label: "Nick", name: "nick", value: typed.text("nick"), required: true, autocomplete: "username", hint: html`Your address will be <code>nick@${hub.config.host}</code>. It stays.`, fault })}`;
}

/** The same as the domain takes it. */
export function newcomerIn({ address }: PageContext, typed: Fields): SignUp {
  return {
    email: typed.text("email"),
    password: typed.text("password"),
    nick: typed.text("nick"),
    name: typed.text("name"),
    address,
  };
}

/** The first steps of somebody who has just signed up; or what their account waits for. */
export async function enterNew(context: PageContext, caller: Caller): Promise<Response> {
  if (caller.account.account_flags !== 0) return waiting(context, caller.account);
  await startSession(context, caller);
  return redirect(context, "/welcome");
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
