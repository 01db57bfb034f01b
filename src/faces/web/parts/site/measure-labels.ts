import { html } from "hono/html";
import { findAccounts } from "../../../../domain/identity/accounts/accounts.ts";
import type { Measure, Moderation } from "../../../../domain/moderation/log.ts";
import type { Html, MemberContext } from "../../page.ts";
import { time } from "../times.ts";

/** What can be done about somebody, as it is chosen. */
export const measureLabels: Readonly<Record<Measure, string>> = {
  delete: "Delete the posts",
  approve: "Let them in",
  refuse: "Refuse, and delete the account",
  warn: "Warn them, in these words",
  limit: "Limit: show them nowhere in public",
  unlimit: "Show them like all others again",
  block: "Suspend: nobody can log in",
  unblock: "End the suspension",
  password: "Offer a new password by a link",
  "log-out": "Log them out everywhere",
  promote: "Let them administer the hub",
  demote: "Let them administer the hub no more",
  remove: "Delete the account",
  note: "Note this",
};

const measureWords: Readonly<Record<Measure, string>> = {
  delete: "deleted the posts",
  approve: "let them in",
  refuse: "refused them",
  warn: "warned them",
  limit: "limited the account",
  unlimit: "ended the limit",
  block: "suspended the account",
  unblock: "ended the suspension",
  password: "offered a new password",
  "log-out": "logged them out everywhere",
  promote: "let them administer the hub",
  demote: "let them administer the hub no more",
  remove: "deleted the account",
  note: "noted",
};

/** What was done, by whom; `emails` of the accounts that did. */
export function measureRows(
  context: MemberContext,
  done: readonly Moderation[],
  emails: ReadonlyMap<number, string>,
): Html {
  if (done.length === 0) return html``;
  return html`<ul>
    ${done.map(
      ({ measure, note, moderator_id, told, created }) =>
        html`<li>
          ${emails.get(moderator_id) ?? "somebody who is gone"} ${measureWords[measure]}
          ${time(context, created)}${told === 1 ? ", and told them" : ""}${note === "" ? "" : `: ${note}`}
        </li>`,
    )}
  </ul>`;
}

/** The addresses of those who did this. */
export async function emailsOf({ hub }: MemberContext, done: readonly Moderation[]): Promise<Map<number, string>> {
  const accounts = await findAccounts(hub, [...new Set(done.map(({ moderator_id }) => moderator_id))]);
  return new Map(accounts.map(({ account_id, account_email }) => [account_id, account_email]));
}
