import { logIn, needsSecondFactor } from "../../domain/identity/accounts/log-in.ts";
import { checkProof } from "../../domain/identity/factors/second-step.ts";
import type { Proof } from "../../domain/identity/factors/second-step.ts";
import { HubError } from "../../errors.ts";
import { fault } from "./faults.ts";
import type { Fault } from "./faults.ts";
import type { Fields } from "./fields.ts";
import { html } from "./html.ts";
import type { Html, MemberContext } from "./page.ts";
import { codeField } from "./parts/account/code-field.ts";
import { ownPasskeyButton } from "./parts/account/passkey-button.ts";
import { textField } from "./parts/forms.ts";

/**
 * Whoever finds an open browser must not get hold of the account or of its keys: the password is asked for again, with a code where
 * the account has a second factor, and both are throttled. Throws a fault of that field.
 */
export async function checkPassword(
  { hub, member, address, device, say }: MemberContext,
  typed: Fields,
  field = "password",
): Promise<void> {
  try {
    await logIn(hub, { login: member.account.account_email, password: typed.text(field), address, device });
  } catch (error) {
    if (error instanceof HubError && error.kind === "unauthenticated")
      throw fault(field, say("account.not-your-password"));
    throw error;
  }
  if (needsSecondFactor(member.account)) await checkProof(hub, member.account, proofIn(typed), { address, device });
}

/** What a form says beside the password. */
export function proofIn(typed: Fields): Proof {
  return { code: typed.text("code"), passkey: typed.text("passkey") };
}

/** The fields that `checkPassword` reads; `id` tells those of one form apart from those of others on the page. */
export async function passwordFields(
  context: MemberContext,
  options: { label?: string; name?: string; id?: string; hint?: string; fault?: Fault | undefined },
): Promise<Html> {
  const { member, say } = context;
  const { label = say("account.your-password"), name = "password", id, hint, fault } = options;
  return html`${textField(context, { label, name, id, hint, type: "password", required: true, autocomplete: "current-password", fault })}
  ${needsSecondFactor(member.account) ? html`${codeField(context, { id, fault })} ${await ownPasskeyButton(context, member.account.account_id, say("account.passkey-there"))}` : ""}`;
}
