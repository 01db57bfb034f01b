import { refusal } from "../../../errors.ts";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { findAccountToken, issueAccountToken, takeAccountToken } from "../accounts/account-tokens.ts";
import { findAccountById } from "../accounts/accounts.ts";
import type { Account } from "../accounts/accounts.ts";
import type { Caller } from "../accounts/caller.ts";
import { codeGuesserOf, rememberPlace } from "../accounts/guessers.ts";
import { findCaller } from "../accounts/log-in.ts";
import { countAttempt } from "../accounts/log-in-attempts.ts";
import { takeCode } from "./factors.ts";

/** Who types a code: where they are, and what their browser keeps of earlier log-ins. */
export type Typist = { address: string; device: string };

/** So many wrong codes in a day are free; then there is a wait before each. */
const freeGuesses = 10;

/** For somebody whose password was right: the secret with which the rest of the log-in goes on. */
export async function beginSecondStep(hub: Hub, { account, channel }: Caller): Promise<string> {
  const about = String(channel.channel_id);
  const { token } = await inTransaction(hub, (hub) => issueAccountToken(hub, "log-in", account.account_id, about));
  return token;
}

/** Who it is, for the right code. Throws unauthenticated when the log-in took too long, invalid for a wrong or used code. */
export async function finishSecondStep(hub: Hub, step: string, code: string, typist: Typist): Promise<Caller> {
  const found = await findAccountToken(hub, "log-in", step);
  const account = found && (await findAccountById(hub, found.account));
  if (!account) throw refusal("log_in_too_slow");
  const caller = await withCode(hub, account, code, typist, async (hub) => {
    const taken = await takeAccountToken(hub, "log-in", step);
    const caller = taken && (await findCaller(hub, taken.account, Number(taken.about)));
    if (!caller) throw refusal("log_in_too_slow");
    return caller;
  });
  rememberPlace(hub, typist.address, account);
  return caller;
}

/** Throws invalid unless this is a code of the account; it is used up then. */
export async function checkCode(hub: Hub, account: Account, code: string, typist: Typist): Promise<void> {
  await withCode(hub, account, code, typist, () => Promise.resolve());
}

async function withCode<T>(
  hub: Hub,
  account: Account,
  code: string,
  typist: Typist,
  work: (hub: Hub) => Promise<T>,
): Promise<T> {
  const guesser = await codeGuesserOf(hub, typist, account);
  const attempt = countAttempt(hub, `code of ${account.account_id}`, typist.address, guesser, freeGuesses);
  const done = await inTransaction(hub, async (hub) => {
    if (!(await takeCode(hub, account.account_id, code))) throw refusal("code_wrong");
    return work(hub);
  });
  attempt.takeBack();
  return done;
}
