import { accountFlags } from "../../../../domain/identity/accounts/accounts.ts";
import type { Account } from "../../../../domain/identity/accounts/accounts.ts";
import type { Caller } from "../../../../domain/identity/accounts/caller.ts";
import { faultsOfSignUp } from "../../../../domain/identity/accounts/register.ts";
import type { SignUp } from "../../../../domain/identity/accounts/register.ts";
import { sendsMail } from "../../../../domain/mail/queue-mail.ts";
import { redirect, show } from "../../answers.ts";
import { faultOf } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { Html, PageContext } from "../../page.ts";
import { startSession } from "../../session.ts";
import { textArea, textField } from "../forms.ts";

/** What somebody types who signs up. */
export function newcomerFields(context: PageContext, typed: Fields, fault: Fault | undefined): Html {
  const { hub, say } = context;
  return html`${textField(context, { label: say("account.email"), name: "email", type: "email", value: typed.text("email"), required: true, autocomplete: "email", hint: say(sendsMail(hub) ? "account.email-hint-confirm" : "account.email-hint"), fault })}
  ${textField(context, { label: say("account.password"), name: "password", type: "password", required: true, autocomplete: "new-password", hint: say("account.password-hint"), fault })}
  ${textField(context, { label: say("account.name"), name: "name", value: typed.text("name"), required: true, autocomplete: "name", hint: say("account.name-hint"), fault })}
  ${textField(context, { label: say("account.nick"), name: "nick", value: typed.text("nick"), required: true, autocomplete: "username", hint: say.html("account.nick-hint", { host: hub.config.host }), fault })}`;
}

/** Why they want to join, where somebody decides about it. */
export function reasonField(context: PageContext, typed: Fields, fault: Fault | undefined): Html {
  const { say } = context;
  return textArea(context, {
    label: say("account.reason"),
    name: "reason",
    value: typed.text("reason"),
    rows: 3,
    required: true,
    hint: say("account.reason-hint"),
    fault,
  });
}

/** The same as the domain takes it. */
export function newcomerIn({ address }: PageContext, typed: Fields): SignUp {
  return {
    email: typed.text("email"),
    password: typed.text("password"),
    nick: typed.text("nick"),
    name: typed.text("name"),
    reason: typed.text("reason"),
    address,
  };
}

/** What was refused, with all else that speaks against what was typed: nobody mends one field to hear of the next. */
export async function withOtherFaults(
  context: PageContext,
  typed: Fields,
  fault: Fault,
  { invited = false } = {},
): Promise<Fault> {
  if (fault.field === "") return fault;
  const errors = await Array.fromAsync(faultsOfSignUp(context.hub, newcomerIn(context, typed), invited));
  const faults = errors.flatMap((error) => faultOf(context, error) ?? []);
  return { ...fault, also: faults.filter((one) => one.field !== fault.field) };
}

/** The first steps of somebody who has just signed up; or what their account waits for. */
export async function enterNew(context: PageContext, caller: Caller): Promise<Response> {
  if (caller.account.account_flags !== 0) return waiting(context, caller.account);
  await startSession(context, caller);
  return redirect(context, "/welcome");
}

async function waiting(context: PageContext, { account_email, account_flags: flags }: Account): Promise<Response> {
  const { say } = context;
  const main = html`<section class="card notice-page">
    <h1>${say("account.thank-you-loud")}</h1>
    ${
      flags & accountFlags.unverified
        ? html`<p>
            ${say.html("account.waits-for-mail", { email: account_email, again: linkTo("/login/forgotten") })}
          </p>`
        : ""
    }
    ${
      flags & accountFlags.pending
        ? html`<p>${say.html("account.waits-for-approval", { in: linkTo("/login") })}</p>`
        : ""
    }
  </section>`;
  return show(context, { title: say("account.thank-you"), main });
}
