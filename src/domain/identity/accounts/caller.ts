import type { Selectable } from "kysely";
import type { AccountTable } from "../../../storage/tables/identity.ts";
import type { Account } from "./accounts.ts";
import type { Channel } from "../channels/channel.ts";

/** Who calls: every request acts as one channel of the account. */
export type Caller = { account: Account; channel: Channel };

/** A row of account joined with channel: the two tables as one object. */
export type CallerRow = Selectable<AccountTable> & Channel;

/**
 * Takes such a row apart; the stored password is handed out separately so that it goes no further. What else was selected
 * goes nowhere if its name begins with `oauth_`; every request comes here, and a row without it costs as much as the rest.
 */
export function splitCaller(row: CallerRow): { caller: Caller; stored: string } {
  const account: Record<string, unknown> = {};
  const channel: Record<string, unknown> = {};
  let name: keyof CallerRow;
  for (name in row) {
    if (name === "account_password" || name.startsWith("oauth_")) continue;
    if (name.startsWith("account_")) account[name] = row[name];
    else channel[name] = row[name];
  }
  return { caller: { account: account as Account, channel: channel as Channel }, stored: row.account_password };
}
