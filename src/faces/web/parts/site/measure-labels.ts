import { findAccounts } from "../../../../domain/identity/accounts/accounts.ts";
import type { Measure, Moderation } from "../../../../domain/moderation/log.ts";
import { html } from "../../html.ts";
import type { Say } from "../../languages/say.ts";
import type { Html, MemberContext } from "../../page.ts";
import { time } from "../times.ts";

/** What can be done about somebody, to be chosen: nothing is done to people by a button that was pressed too early. */
export function measureChoices(say: Say, measures: readonly Measure[]): (readonly [Measure | "", string])[] {
  return [["", say("admin.choose-what-to-do")], ...measures.map((one) => [one, say(`admin.measure-${one}`)] as const)];
}

/** What was done, by whom; `emails` of the accounts that did. */
export function measureRows(
  context: MemberContext,
  done: readonly Moderation[],
  emails: ReadonlyMap<number, string>,
): Html {
  if (done.length === 0) return html``;
  const { say } = context;
  return html`<ul>
    ${done.map(({ measure, note, moderator_id, told, created }) => {
      const who = emails.get(moderator_id) ?? say("admin.somebody-who-is-gone");
      return html`<li>
        ${say.html(`admin.did-${measure}`, { who, time: time(context, created), told: told === 1 ? "yes" : "no" })}${note === "" ? "" : `: ${note}`}
      </li>`;
    })}
  </ul>`;
}

/** The addresses of those who did this. */
export async function emailsOf({ hub }: MemberContext, done: readonly Moderation[]): Promise<Map<number, string>> {
  const accounts = await findAccounts(hub, [...new Set(done.map(({ moderator_id }) => moderator_id))]);
  return new Map(accounts.map(({ account_id, account_email }) => [account_id, account_email]));
}
