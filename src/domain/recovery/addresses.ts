import { refusal } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import {
  dropAccountTokens,
  findAccountToken,
  issueAccountToken,
  takeAccountToken,
} from "../identity/accounts/account-tokens.ts";
import {
  accountFlags,
  changeEmail,
  checkEmail,
  findAccountById,
  isInOrder,
  setAccountFlag,
} from "../identity/accounts/accounts.ts";
import type { Account } from "../identity/accounts/accounts.ts";
import type { Caller } from "../identity/accounts/caller.ts";
import { countByNetwork } from "../identity/accounts/count-by-network.ts";
import { notifyWaiting, signUp } from "../identity/accounts/register.ts";
import type { Invited, SignUp } from "../identity/accounts/register.ts";
import { hasAccounts } from "../identity/accounts/setup.ts";
import { sendsMail } from "../mail/queue-mail.ts";
import { tell } from "./told.ts";
import type { Words, WordsFor } from "./told.ts";

/** Addresses of accounts: where the hub can send mail, one counts once its owner has opened a link in a mail to it. */

const mostAsked = 20;

/** What somebody is mailed, with the secret of the link in it. */
export type WordsWith = (token: string) => Words;

/**
 * A visitor who reads this language makes an account (`signUp`), by a page or an application; it can be used once its address is
 * confirmed, at once where the hub sends no mail. Throws denied where the hub waits for its first account, which is the administrator's.
 */
export async function signUpByMail(hub: Hub, fields: SignUp, language: string, invited?: Invited): Promise<Caller> {
  if (!(await hasAccounts(hub))) throw refusal("registration_closed");
  if (!sendsMail(hub)) return signUp(hub, fields, undefined, invited);
  const confirm = (hub: Hub, { account_id: account }: Account) => addJob(hub, "confirm-address", { account, language });
  return signUp(hub, fields, confirm, invited);
}

/** Mails the owner of a new account how to confirm its address. */
export async function offerConfirmation(hub: Hub, accountId: number, words: WordsFor): Promise<void> {
  const account = await findAccountById(hub, accountId);
  if (!account || (account.account_flags & accountFlags.unverified) === 0) return;
  await inTransaction(hub, async (hub) => {
    const { token, expires } = await issueAccountToken(hub, "confirm", account.account_id);
    await tell(hub, account.account_email, words(account, token), expires);
  });
}

/** Does this link still confirm an address? */
export async function isConfirmation(hub: Hub, token: string): Promise<boolean> {
  return (await findAccountToken(hub, "confirm", token)) !== undefined;
}

/** The address of the account of the link is its owner's. Throws invalid for a link that does not work any more. */
export async function confirmAddress(hub: Hub, token: string): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const taken = await takeAccountToken(hub, "confirm", token);
    if (!taken) throw refusal("link_used");
    await notifyWaiting(hub, await setAccountFlag(hub, taken.account, "unverified", false));
  });
}

/**
 * Asks for another address: a mail there leads on, and one to the old address tells of it. Where the hub sends no mail it is taken at once.
 * Answers whether it was. Throws invalid, conflict for one that is taken, too-many.
 */
export async function askForAddress(
  hub: Hub,
  owner: Account,
  { email, address }: { email: string; address: string },
  words: { link: WordsWith; asked: Words },
): Promise<boolean> {
  const wanted = await checkEmail(hub, email);
  if (!sendsMail(hub)) {
    await inTransaction(hub, (hub) => take(hub, owner.account_id, wanted));
    return true;
  }
  await countByNetwork(hub, "mails_limited", address, mostAsked);
  await inTransaction(hub, async (hub) => {
    const { token, expires } = await issueAccountToken(hub, "address", owner.account_id, wanted);
    await tell(hub, wanted, words.link(token), expires);
    await tell(hub, owner.account_email, words.asked);
  });
  return false;
}

/** The address that this link gives to its account; undefined when it does not work any more. */
export async function addressOfLink(hub: Hub, token: string): Promise<string | undefined> {
  return (await findAccountToken(hub, "address", token))?.about;
}

/** Gives the account of the link its new address; the old one is told. Throws invalid for a link that does not work any more, conflict. */
export async function takeAddress(hub: Hub, token: string, told: Words): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const taken = await takeAccountToken(hub, "address", token);
    const owner = taken && (await findAccountById(hub, taken.account));
    if (!owner || !isInOrder(hub, owner)) throw refusal("link_used");
    await take(hub, owner.account_id, taken.about);
    await tell(hub, owner.account_email, told);
  });
}

/** Links that went to the old address work no more. */
async function take(hub: Hub, accountId: number, email: string): Promise<void> {
  await changeEmail(hub, accountId, email);
  await dropAccountTokens(hub, accountId);
}
