import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { answeredBy, peopleOf } from "../../../domain/messages/messages.ts";
import type { Mail } from "../../../domain/messages/messages.ts";
import type { Hub } from "../../../hub.ts";
import { showAccounts } from "../accounts/account-answers.ts";
import type { MailSheet } from "../present/mail-status.ts";

/** Loads what messages are shown with. */
export async function showMails(hub: Hub, caller: Caller, mails: readonly Mail[]): Promise<MailSheet> {
  const [people, answered] = await Promise.all([peopleOf(hub, mails), answeredBy(hub, caller.channel, mails)]);
  const sides = new Map([...people].map(([hash, { xchan_id }]) => [hash, xchan_id]));
  return { mails, sides, answered, accounts: await showAccounts(hub, caller, [...sides.values()]), hub };
}
