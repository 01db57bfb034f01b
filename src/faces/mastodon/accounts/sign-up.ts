import { z } from "zod";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { faultsOfSignUp } from "../../../domain/identity/accounts/register.ts";
import { issueBearer } from "../../../domain/identity/applications/oauth2-tokens.ts";
import { acceptInvitation } from "../../../domain/invitations/invitations.ts";
import { signUpByMail } from "../../../domain/recovery/addresses.ts";
import { HubError } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { messages } from "../messages.ts";
import { messageOf } from "../../../refusals/messages.ts";
import { presentToken } from "../apps/present-token.ts";
import { flag, text } from "../parameters.ts";

/** Mastodon contract 13.2: people who come by an application. */
export const signUpRows = [
  endpoint({
    path: "v1/accounts",
    methods: ["POST"],
    access: "public",
    anyToken: true,
    scope: "write:accounts",
    writes: true,
    summary: "Signs somebody up, with a token for the application alone; the answer is a token for the new account.",
    answer: "Token",
    errors: { registration_closed: [403, "This action is not allowed"] },
    example: { username: "ann", email: "ann@mail.example", password: "a long horse", agreement: "true" },
    input: z.object({
      username: text("Nick of the channel, which is its name at first, too."),
      email: text("Address of the account."),
      password: text("The password."),
      agreement: flag("They agree to the rules of the hub."),
      reason: text("Why they want to join, where somebody decides about it."),
      locale: text("The language of the mail that confirms the address."),
      time_zone: text("Their time zone, such as `Europe/Berlin`."),
      invite_code: text("The last part of the address of an invitation."),
    }),
    async handle(hub, caller, input, { bearer, address }) {
      if (caller)
        throw new HubError("denied", "This method requires a client credentials authentication", {
          reason: "app_needed",
        });
      const { username = "", email = "", password = "", reason, locale = "", time_zone: timezone, invite_code } = input;
      const fields = { nick: username, name: username, email, password, reason, timezone, address };
      const faults = await Array.fromAsync(faultsOfSignUp(hub, fields, Boolean(invite_code)));
      if (faults.length > 0 || !input.agreement) throw refused(faults, input.agreement);
      const signUp = (): Promise<Caller> =>
        invite_code ? acceptInvitation(hub, invite_code, fields, locale) : signUpByMail(hub, fields, locale);
      const { channel } = await signUp();
      const { id, scopes } = bearer!.application;
      return issueBearer(hub, { id }, channel.channel_id, scopes);
    },
    present: presentToken,
  }),
];

/** What applications call the fields, and what may be wrong with them; all else is "ERR_INVALID". */
const names: Readonly<Record<string, string>> = { nick: "username", name: "username", timezone: "time_zone" };
const codes: Readonly<Record<string, string>> = {
  nick_taken: "ERR_TAKEN",
  nick_reserved: "ERR_RESERVED",
  email_taken: "ERR_TAKEN",
  password_needed: "ERR_BLANK",
  password_too_short: "ERR_TOO_SHORT",
  password_too_long: "ERR_TOO_LONG",
  reason_needed: "ERR_BLANK",
  reason_too_long: "ERR_TOO_LONG",
};

type Detail = { error: string; description: string };

/** The error with what is wrong with each field (Mastodon contract 8.1). */
function refused(faults: readonly HubError[], agreed: boolean): HubError {
  const details: Record<string, Detail[]> = {};
  for (const fault of faults) {
    const name = names[fault.field!] ?? fault.field!;
    const description = messageOf(messages, fault);
    (details[name] ??= []).push({ error: codes[fault.code ?? ""] ?? "ERR_INVALID", description });
  }
  if (!agreed) details["agreement"] = [{ error: "ERR_ACCEPTED", description: "The rules must be accepted." }];
  const causes = Object.values(details).flatMap((all) => all.map(({ description }) => description.replace(/\.$/, "")));
  return new HubError("invalid", `Validation failed: ${causes.join(", ")}`, {
    reason: "sign_up_refused",
    more: { details },
  });
}
