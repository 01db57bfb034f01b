import type { Hub } from "../../hub.ts";
import type { Account } from "../identity/accounts/accounts.ts";
import { getSetting } from "../identity/site/site-settings.ts";
import type { Mail } from "../mail/mail.ts";
import { queueMail } from "../mail/queue-mail.ts";

/** What a mail of this area says, for a site of this name; faces have the words. */
export type Words = (site: string) => Pick<Mail, "subject" | "parts">;

/** What the owner of an account is mailed, with the secret of the link in it. */
export type WordsFor = (account: Account, token: string) => Words;

/** Tells somebody about their account by mail; part of the transaction of the cause. Nothing happens where the hub sends no mail. */
export async function tell(hub: Hub, to: string, words: Words, until?: string): Promise<void> {
  const site = await getSetting(hub, "name");
  await queueMail(hub, { to, site, until, ...words(site) });
}
