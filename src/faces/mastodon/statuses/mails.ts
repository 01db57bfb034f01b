import type { Anybody, Caller } from "../../../domain/identity/accounts/caller.ts";
import { answerMessage, findMessage, readConversation } from "../../../domain/messages/messages.ts";
import type { Mail } from "../../../domain/messages/messages.ts";
import { missing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { invalid } from "../parameters.ts";
import { firstOfMails } from "../present/mail-status.ts";
import type { MailSheet } from "../present/mail-status.ts";
import { showMails } from "./mail-answers.ts";

/** Messages by their ids as statuses (mastodon contract 6.5). */

/** The id of the message that this one is as a status; undefined for that of a post. */
export function mailNamed(id: number): number | undefined {
  return id > firstOfMails ? id - firstOfMails : undefined;
}

/** The caller's copy of a message. Throws missing, for whoever calls without a channel as well. */
export async function showMail(hub: Hub, anybody: Anybody, id: number): Promise<MailSheet> {
  if (!anybody.channel) throw missing("Message");
  return showMails(hub, anybody, [await findMessage(hub, anybody.channel, id)]);
}

/** With a message one does nothing but answer it and remove it. Throws invalid, and missing for what is none of the caller's. */
export async function refuseMail(hub: Hub, { channel }: Caller, id: number): Promise<void> {
  const mail = mailNamed(id);
  if (mail === undefined) return;
  await findMessage(hub, channel, mail);
  throw invalid("Not possible for this message");
}

const mostAround = 4096;

/** What was said before a message in its conversation, and after it. */
export async function aroundMail(
  hub: Hub,
  anybody: Anybody,
  id: number,
): Promise<{ sheet: MailSheet; before: Mail[]; after: Mail[] }> {
  if (!anybody.channel) throw missing("Message");
  const { messages } = await readConversation(hub, anybody.channel, id, { count: mostAround });
  const sheet = await showMails(hub, anybody, messages);
  return { sheet, before: messages.filter((one) => one.id < id), after: messages.filter((one) => one.id > id) };
}

/** Answers a message in its conversation. */
export async function answerMail(
  hub: Hub,
  { channel }: Caller,
  replyTo: number,
  { text, mediaIds }: { text: string; mediaIds: readonly number[] },
  { idempotencyKey: key, bearer }: Exchange,
): Promise<Mail> {
  const once = key === "" || !bearer ? undefined : { tokenId: bearer.id, key };
  return answerMessage(hub, channel, replyTo, { body: text, mediaIds }, once);
}
