import { refusal } from "../../errors.ts";
import { inTransaction, momentIn } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import {
  countAccountTokens,
  findAccountToken,
  issueAccountToken,
  takeAccountToken,
} from "../identity/accounts/account-tokens.ts";
import {
  accountFlags,
  findAccount,
  findAccountById,
  isInOrder,
  setAccountFlag,
  setPassword,
} from "../identity/accounts/accounts.ts";
import type { Account } from "../identity/accounts/accounts.ts";
import { countPlaces } from "../identity/accounts/outgoing-places.ts";
import type { Places } from "../identity/accounts/outgoing-places.ts";
import { countByNetwork } from "../identity/accounts/count-by-network.ts";
import { tell } from "./told.ts";
import type { Words, WordsFor } from "./told.ts";

/** How many mails an account gets, and a network asks for, within an hour. */
const mostMails = 3;
const mostAsked = 20;

/**
 * Somebody who reads this language says that they have forgotten the password of this address. Nothing here depends on whether anybody has it: a job looks.
 * Throws too-many after 20 within an hour from one network.
 */
export async function forgetPassword(
  hub: Hub,
  { email, language }: { email: string; language: string },
  address: string,
): Promise<void> {
  await countByNetwork(hub, "mails_limited", address, mostAsked);
  // One after the other, so that each counts the mails of those before it.
  const options = { lane: "forgotten-password" };
  const asked = { email: email.trim().slice(0, 254), language };
  await inTransaction(hub, (hub) => addJob(hub, "forgotten-password", asked, options));
}

/** Mails the way to a new password to the account of this address, if there is one that may log in; three an hour at most. */
export async function offerNewPassword(hub: Hub, email: string, words: WordsFor): Promise<void> {
  // No column holds NUL.
  const account = email.includes("\0") ? undefined : await findAccount(hub, email);
  if (!account || !mayRecover(hub, account)) return;
  await inTransaction(hub, async (hub) => {
    const id = account.account_id;
    if ((await countAccountTokens(hub, "password", id, momentIn(hub, -3600 * 1000))) >= mostMails) return;
    const { token, expires } = await issueAccountToken(hub, "password", id);
    await tell(hub, account.account_email, words(account, token), expires);
  });
}

/** Does this link to a new password still work? */
export async function offersNewPassword(hub: Hub, token: string): Promise<boolean> {
  return (await findAccountToken(hub, "password", token)) !== undefined;
}

/**
 * Gives the account of the link a new password; browsers, applications and links of guests lose their access, as do other links, and places
 * are paused: `told` says how many. It also shows that the address is theirs. Throws invalid for a link that does not work any more, or for
 * a password that cannot be one.
 */
export async function recoverPassword(
  hub: Hub,
  token: string,
  password: string,
  told: (paused: Places) => Words,
): Promise<void> {
  const found = await findAccountToken(hub, "password", token);
  const account = found && (await findAccountById(hub, found.account));
  if (!account || !mayRecover(hub, account)) throw refusal("link_used");
  await setPassword(hub, account.account_id, password, [], async (hub) => {
    if (!(await takeAccountToken(hub, "password", token))) throw refusal("link_used");
    if (account.account_flags & accountFlags.unverified)
      await setAccountFlag(hub, account.account_id, "unverified", false);
    await tell(hub, account.account_email, told(await countPlaces(hub, account.account_id)));
  });
}

/** Whoever has only not yet shown that the address is theirs does so by this. */
function mayRecover(hub: Hub, account: Account): boolean {
  return isInOrder(hub, { ...account, account_flags: account.account_flags & ~accountFlags.unverified });
}
