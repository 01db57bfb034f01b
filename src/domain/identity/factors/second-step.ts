import { refusal } from "../../../errors.ts";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { findAccountToken, issueAccountToken, takeAccountToken } from "../accounts/account-tokens.ts";
import { findAccountById } from "../accounts/accounts.ts";
import type { Account } from "../accounts/accounts.ts";
import type { Caller } from "../accounts/caller.ts";
import { codeGuesserOf, rememberPlace } from "../accounts/guessers.ts";
import { findCaller, findDefaultCaller } from "../accounts/log-in.ts";
import { countAttempt } from "../accounts/log-in-attempts.ts";
import { takeCode } from "./factors.ts";
import { usePasskey } from "./passkeys.ts";

/** What is shown beside the password: a code, or what a browser has signed with a passkey. */
export type Proof = { code: string; passkey: string };

/** Who shows it: where they are, and what their browser keeps of earlier log-ins. */
export type Typist = { address: string; device: string };

/** So many wrong codes in a day are free; then there is a wait before each. */
const freeGuesses = 10;

/** For somebody whose password was right: the secret with which the rest of the log-in goes on. */
export async function beginSecondStep(hub: Hub, { account, channel }: Caller): Promise<string> {
  const about = String(channel.channel_id);
  const { token } = await inTransaction(hub, (hub) => issueAccountToken(hub, "log-in", account.account_id, about));
  return token;
}

/** Whose log-in this is the first half of; undefined when it took too long. */
export async function whoseSecondStep(hub: Hub, step: string): Promise<number | undefined> {
  return (await findAccountToken(hub, "log-in", step))?.account;
}

/** Who it is, for the right proof. Throws invalid when the log-in took too long, or the proof is wrong or used. */
export async function finishSecondStep(hub: Hub, step: string, proof: Proof, typist: Typist): Promise<Caller> {
  const found = await findAccountToken(hub, "log-in", step);
  const account = found && (await findAccountById(hub, found.account));
  if (!account) throw refusal("log_in_too_slow");
  const caller = await withProof(hub, account, proof, typist, async (hub) => {
    const taken = await takeAccountToken(hub, "log-in", step);
    const caller = taken && (await findCaller(hub, taken.account, Number(taken.about)));
    if (!caller) throw refusal("log_in_too_slow");
    return caller;
  });
  rememberPlace(hub, typist.address, account);
  return caller;
}

/** Who it is, by a passkey alone whose device has seen a finger or a PIN. Throws invalid for any other one. */
export async function logInByPasskey(hub: Hub, passkey: string, { address }: Typist): Promise<Caller> {
  const caller = await findDefaultCaller(hub, await usePasskey(hub, passkey));
  if (!caller) throw refusal("passkey_wrong");
  rememberPlace(hub, address, caller.account);
  return caller;
}

/** Throws invalid unless this shows that it is the owner of the account; it is used up then. */
export async function checkProof(hub: Hub, account: Account, proof: Proof, typist: Typist): Promise<void> {
  await withProof(hub, account, proof, typist, () => Promise.resolve());
}

async function withProof<T>(
  hub: Hub,
  account: Account,
  { code, passkey }: Proof,
  typist: Typist,
  work: (hub: Hub) => Promise<T>,
): Promise<T> {
  if (passkey !== "") {
    await usePasskey(hub, passkey, account.account_id);
    return inTransaction(hub, work);
  }
  const guesser = await codeGuesserOf(hub, typist, account);
  const attempt = await countAttempt(hub, `code of ${account.account_id}`, typist.address, guesser, freeGuesses);
  const done = await inTransaction(hub, async (hub) => {
    if (!(await takeCode(hub, account.account_id, code))) throw refusal("code_wrong");
    return work(hub);
  });
  await attempt.takeBack();
  return done;
}
