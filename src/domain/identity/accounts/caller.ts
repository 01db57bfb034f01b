import type { Selectable } from "kysely";
import type { AccountTable } from "../../../storage/tables/identity.ts";
import type { Hub } from "../../../hub.ts";
import { nobodyHere, observerOf } from "../channels/observer.ts";
import type { Observer } from "../channels/observer.ts";
import type { Account } from "./accounts.ts";
import type { Channel } from "../channels/channel.ts";

/** Who calls: every request acts as one channel of the account, and looks as that channel. */
export type Caller = { account: Account; channel: Channel; observer: Observer };

/** Whom a public endpoint answers: a caller, or somebody without credentials. */
export type Anybody = Caller | { account?: undefined; channel?: undefined; observer: Observer };

/** The account acting as one of its channels. */
export function callerOf(account: Account, channel: Channel): Caller {
  return { account, channel, observer: observerOf(channel) };
}

/** The caller, else nobody, as far as the site lets that see anything. */
export async function callerOrNobody(hub: Hub, caller: Caller | undefined): Promise<Anybody> {
  return caller ?? { observer: await nobodyHere(hub) };
}

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
  return { caller: callerOf(account as Account, channel as Channel), stored: row.account_password };
}
