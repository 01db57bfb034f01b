import { randomUUID } from "node:crypto";
import { missing, refusal } from "../../errors.ts";
import { addDeed } from "../../jobs/queue.ts";
import { ahead, inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { plainLine } from "../bodies/names.ts";
import { layOut } from "../bodies/texts.ts";
import { formatList } from "../identity/records/access-list.ts";
import { findConnectionTo } from "../connections/connections.ts";
import { observerOf } from "../identity/channels/observer.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findChannelByHash } from "../identity/channels/channels.ts";
import { isActor } from "../identity/xchans/actors.ts";
import { sign } from "../identity/xchans/signing.ts";
import { findKnown } from "../people/known-person.ts";
import { takeAttachments } from "../items/attachments.ts";
import { storeMedia } from "../items/media/media.ts";
import { doOnce } from "../items/posting/post-once.ts";
import type { Once } from "../items/posting/post-once.ts";
import { shareFiles } from "../items/share-files.ts";
import type { PreparedUpload } from "../photos/uploads.ts";
import { emitToChannels } from "../live/emit.ts";
import { may } from "../permissions/may.ts";
import { notify } from "../notifications/notify.ts";
import { lastBetween, openConversation, recipientsOf, sideOf, takingPartIn } from "./conversations.ts";
import type { Side } from "./conversations.ts";
import { findMessage, ownMessage } from "./list.ts";
import type { Mail } from "./types.ts";

export type NewMessage = {
  /** Hash of the recipient. */
  to: string;
  /** Hashes of others who get it, too, in the same conversation; all of them see who does. */
  also?: readonly string[];
  title?: string;
  body: string;
  /** Id of an own copy of the message that it answers. */
  replyTo?: number;
  /** It goes on with the newest conversation of the two, where there is one and it answers nothing. */
  goesOn?: boolean;
  /** Files that come with it (items/media/media.ts); the recipient gets to see them. */
  media?: readonly PreparedUpload[];
  /** Files of the sender that were uploaded before. */
  mediaIds?: readonly number[];
};

/**
 * Sends a direct message and answers the sender's copy of it. Throws missing (recipient unknown; message to be answered
 * not here), denied (somebody whom the sender blocks, or who cannot be reached), invalid (one of them does not take it; no text) and
 * too-large: then nobody gets it.
 */
export async function sendMessage(hub: Hub, from: Channel, message: NewMessage): Promise<Mail> {
  const text = await textAhead(hub, from, message);
  return inTransaction(hub, async (hub) => {
    const recipients: Side[] = [];
    for (const hash of new Set([message.to, ...(message.also ?? [])]))
      recipients.push(await findRecipient(hub, from, hash));
    const hashes = recipients.map(({ hash }) => hash);
    const answered = message.replyTo === undefined ? undefined : await findAnswered(hub, from, message);
    const mail = composeMail(hub, from, hashes, message, await text(hub), answered);
    const begun = answered ?? (message.goesOn ? await lastBetween(hub, from, message.to) : undefined);
    const guid = await openConversation(hub, { from: sideOf(hub, from), to: recipients }, mail, begun?.conv_guid);
    const copy = { ...mail, conv_guid: guid };
    const id = await insertCopy(hub, from, { ...copy, mail_seen: 1 });
    await shareFiles(hub, from, { mail_id: id }, mail);
    if (answered) await hub.db.updateTable("mail").set({ mail_replied: 1 }).where("id", "=", answered.id).execute();
    for (const { hash, channel } of recipients) if (channel) await reach(hub, from, channel, readBy(copy, hash));
    if (recipients.some(({ channel }) => !channel))
      await addDeed(hub, from.channel_id, { deed: "write", mail: id, answers: answered?.mid ?? "" });
    return findMessage(hub, from, id);
  });
}

/** The same once for each key of an application (mastodon contract 3.4). */
export async function sendOnce(hub: Hub, from: Channel, message: NewMessage, once: Once): Promise<Mail> {
  return inTransaction(hub, async (hub) => {
    const id = await doOnce(hub, once, "mail", async (hub) => (await sendMessage(hub, from, message)).id);
    return findMessage(hub, from, id);
  });
}

/** The recipient's own copy; what the message says is not in the notice. */
async function reach(hub: Hub, from: Channel, to: Channel, copy: Omit<Copy, "mail_seen">): Promise<void> {
  const mail = await insertCopy(hub, to, { ...copy, mail_seen: 0 });
  await notify(hub, [{ kind: "mail", to, actor: from.xchan_id, mail }]);
}

/**
 * The one who gets it, and whom the sender has not blocked: a channel of this hub that lets the sender write to it, or somebody of
 * elsewhere, whose own hub decides about that.
 */
async function findRecipient(hub: Hub, from: Channel, hash: string): Promise<Side> {
  const xchan = await findKnown(hub, from.channel_id, { hash });
  if (!xchan || xchan.xchan_deleted === 1) throw missing("Recipient");
  if (hash === from.channel_hash) throw refusal("not_to_yourself");
  const channel = await findChannelByHash(hub, hash);
  if (!channel && !(await isActor(hub, hash))) throw refusal("recipient_unreachable");
  if (channel && !(await may(hub, observerOf(from), "post_mail", channel.channel_id)))
    throw refusal("takes_no_messages", { field: "to", name: xchan.xchan_addr });
  const connection = await findConnectionTo(hub, from.channel_id, hash);
  if (connection?.abook_blocked === 1) throw refusal("you_have_blocked", { name: xchan.xchan_addr });
  return { hash, address: xchan.xchan_addr, channel };
}

/** The message that is answered: one of a conversation in which its recipient takes part. */
async function findAnswered(hub: Hub, from: Channel, { replyTo, to }: NewMessage): Promise<Mail> {
  const answered = await ownMessage(hub, from, replyTo!);
  const taking = answered && (await takingPartIn(hub, from, [answered.conv_guid])).get(answered.conv_guid);
  if (!answered || !taking?.includes(to)) throw refusal("unknown_answered");
  return answered;
}

/** What all copies have in common, but for the conversation; that of the sender. */
function composeMail(
  hub: Hub,
  from: Channel,
  [to, ...others]: readonly string[],
  message: NewMessage,
  text: Text,
  answered: Mail | undefined,
) {
  const mid = `${hub.config.baseUrl}/item/${randomUUID()}`;
  return {
    convid: 0,
    from_xchan: from.channel_hash,
    to_xchan: to!,
    also_to: formatList(others),
    title: plainLine(message.title ?? answered?.title ?? "", 255),
    ...text,
    mid,
    parent_mid: answered?.parent_mid ?? mid,
    mail_isreply: answered ? 1 : 0,
    created: now(hub),
  };
}

/** A text without codes for files, and these files, which the recipient gets to see. */
type Text = Record<"body" | "attach" | "html" | "plain" | "sig", string>;

async function textOf(hub: Hub, from: Channel, { body: written, media, mediaIds }: NewMessage): Promise<Text> {
  const whole = await storeMedia(hub, from, { body: written, ...(media && { media }), ...(mediaIds && { mediaIds }) });
  const { body, attach } = await takeAttachments(hub, from, readText(hub, whole.body), "text/bbcode");
  const [{ html, plain }, sig] = await Promise.all([
    layOut(hub, body, "text/bbcode"),
    sign(hub, from.channel_id, body),
  ]);
  return { body, attach, html, plain, sig };
}

/** Before the transaction, unless files come with it: what these become in the text is known only once they are stored. */
async function textAhead(hub: Hub, from: Channel, message: NewMessage): Promise<(hub: Hub) => Promise<Text>> {
  if ((message.media ?? []).length > 0 || (message.mediaIds ?? []).length > 0)
    return (hub) => textOf(hub, from, message);
  return ahead(textOf(hub, from, message));
}

/** The copy of one of those who get it. */
function readBy<T extends Pick<Mail, "to_xchan" | "also_to">>(copy: T, reader: string): T {
  return { ...copy, to_xchan: reader, also_to: formatList(recipientsOf(copy).filter((hash) => hash !== reader)) };
}

type Copy = ReturnType<typeof composeMail> & { conv_guid: string; mail_seen: number };

async function insertCopy(hub: Hub, owner: Channel, mail: Copy): Promise<number> {
  const { id } = await hub.db
    .insertInto("mail")
    .values({ ...mail, account_id: owner.channel_account_id, channel_id: owner.channel_id })
    .returning("id")
    .executeTakeFirstOrThrow();
  await emitToChannels(hub, "messages", [owner.channel_id]);
  return id;
}

/** The text of a new message in its stored form. Throws invalid (`no_content`) and too-large. */
function readText(hub: Hub, text: string): string {
  const body = text.trim();
  if (body === "") throw refusal("no_content");
  if ([...body].length > hub.config.limits.body) throw refusal("text_too_long", { field: "body" });
  return body;
}
