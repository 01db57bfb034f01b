import type { z } from "zod";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import type { Talk, TalkName } from "../../../domain/messages/messages.ts";
import type { Hub } from "../../../hub.ts";
import { showAccounts } from "../accounts/account-answers.ts";
import type { AccountAnswers } from "../accounts/account-answers.ts";
import type { Conversation } from "../entities/conversation.ts";
import type { Edges } from "../paging.ts";
import { presentAccount } from "../present/account.ts";
import { firstOfMails, presentMail } from "../present/mail-status.ts";
import type { MailSheet } from "../present/mail-status.ts";
import { presentStatus } from "../present/status.ts";
import type { Sheet } from "../present/sheet.ts";
import type { StatusObject } from "../present/status-object.ts";
import { showMails } from "../statuses/mail-answers.ts";
import { showStatuses } from "../statuses/status-answers.ts";

/** Conversations with all that is shown of them. */
export type Conversations = {
  talks: readonly Talk[];
  accounts: AccountAnswers;
  statuses: Sheet;
  mails: MailSheet;
  edges?: Edges | undefined;
};

/** Loads what conversations are shown with. */
export async function showTalks(
  hub: Hub,
  caller: Caller,
  talks: readonly Talk[],
  edges?: Edges,
): Promise<Conversations> {
  const [accounts, statuses, mails] = await Promise.all([
    showAccounts(hub, caller, [...new Set(talks.flatMap(({ people }) => people))]),
    showStatuses(
      hub,
      caller,
      talks.flatMap(({ last }) => last.item ?? []),
    ),
    showMails(
      hub,
      caller,
      talks.flatMap(({ last }) => last.mail ?? []),
    ),
  ]);
  return { talks, accounts, statuses, mails, edges };
}

/** Mastodon contract 11.21. */
export function presentConversation(shown: Conversations, talk: Talk): z.infer<typeof Conversation> {
  const known = talk.people.filter((id) => shown.accounts.users.has(id));
  return {
    id: String(talk.kind === "mails" ? firstOfMails + talk.id : talk.id),
    unread: talk.unseen,
    accounts: (known.length > 0 ? known : talk.people.slice(0, 1)).map((id) => presentAccount(shown.accounts, id)),
    last_status: lastStatus(shown, talk),
  };
}

/** What was said last in a conversation. */
export function lastStatus({ statuses, mails }: Conversations, { last }: Talk): StatusObject {
  return last.item ? presentStatus(statuses, last.item) : presentMail(mails, last.mail);
}

/** What an id names. */
export function talkNamed(id: number): TalkName {
  return id > firstOfMails ? { kind: "mails", id: id - firstOfMails } : { kind: "thread", id };
}
