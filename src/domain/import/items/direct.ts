import { importMail } from "../../messages/import-mail.ts";
import type { Taken } from "../../identity/records/portable-fields.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { parseList } from "../../groups/lists.ts";
import type { Hub } from "../../../hub.ts";
import type { ItemForm } from "./item-form.ts";
import type { Person } from "../people/people.ts";
import type { Outcome } from "../report.ts";

/** A direct message that was kept as an item, as portable mails: one for each recipient. */
export type ReadyMails = { form: ItemForm; mails: object[] };

/** Other programs keep direct messages as items (native contract 7.5): here each has one recipient and is a mail. */
export function mailsOf(self: string, form: ItemForm, author: Pick<Person, "hash">): object[] {
  const others = parseList(form.lists.allow_cid).filter((hash) => hash !== self);
  // With one other there is one conversation; with several there is one with each.
  const named = (mid: string, other: string): string => (others.length > 1 ? `${mid}#${other}` : mid);
  const recipients = author.hash === self ? others : [self];
  return recipients.map((to) => {
    const other = to === self ? author.hash : to;
    const isReply = form.mid !== form.parentMid;
    return {
      message_id: named(form.mid, other),
      message_parent: named(form.parentMid, other),
      created: form.created,
      expires: form.expires,
      title: form.title,
      body: form.body,
      from: { hash: author.hash },
      to: { hash: to },
      attach: listIn(form.attach),
      flags: [...(isReply ? ["isreply"] : []), ...(form.flags.item_unseen === 0 ? ["seen"] : [])],
    };
  });
}

/** Stores them; part of a transaction. */
export async function storeMails(
  hub: Hub,
  { channel }: { channel: Channel },
  { form, mails }: ReadyMails,
): Promise<Outcome> {
  const done: Taken[] = [];
  for (const mail of mails) done.push(await importMail(hub, channel, mail));
  return mailsOutcome(form, done);
}

/** What is said of the message as a whole. */
export function mailsOutcome(form: ItemForm, done: readonly Taken[]): Outcome {
  if (done.every((one) => one === "there")) return "there";
  return done.includes("unreadable") ? { left: "it cannot be read", example: form.mid } : "imported";
}

/** Attachments that cannot be read are none. */
function listIn(json: string): unknown[] {
  try {
    const value: unknown = JSON.parse(json || "[]");
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
