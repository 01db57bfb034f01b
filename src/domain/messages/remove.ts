import { sql } from "kysely";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addDeed } from "../../jobs/queue.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findChannelByHash } from "../identity/channels/channels.ts";
import { refusal } from "../../errors.ts";
import { unshareMail } from "../items/share-files.ts";
import { emitToChannels } from "../live/emit.ts";
import { dropNoticesOfMails } from "../notifications/drop.ts";
import { recipientsOf } from "./conversations.ts";
import { empty } from "./empty.ts";
import { findMessage } from "./list.ts";
import { idFor } from "./note-ids.ts";
import type { Mail } from "./types.ts";

/**
 * Removes the channel's own copy of a message; the other side keeps theirs. An empty row stays, so that no import brings
 * it back. Answers the message as it was. Throws missing.
 */
export async function deleteMessage(hub: Hub, channel: Channel, id: number): Promise<Mail> {
  return inTransaction(hub, async (hub) => {
    const mail = await findMessage(hub, channel, id);
    await lockConversation(hub, channel, mail.conv_guid);
    await removeCopies(hub, channel, [mail]);
    const left = await ofConversation(hub, channel, mail.conv_guid).executeTakeFirst();
    if (!left) await dropConversation(hub, channel, mail.conv_guid);
    return mail;
  });
}

/**
 * Removes a message as its reader or its sender would have it: what somebody of this hub has not read yet is taken back, and the
 * channel's own copy goes. Answers the message as it was. Throws missing.
 */
export async function removeMessage(hub: Hub, channel: Channel, id: number): Promise<Mail> {
  return inTransaction(hub, async (hub) => {
    const mail = await findMessage(hub, channel, id);
    const readers = recipientsOf(mail);
    if (mail.from_xchan === channel.channel_hash && readers.length === (await unreadBy(hub, mail)))
      await recallMessage(hub, channel, id);
    await deleteMessage(hub, channel, id);
    return mail;
  });
}

/** How many people of this hub have not read what somebody here sent. */
async function unreadBy(hub: Hub, { mid, channel_id }: Mail): Promise<number> {
  const copies = await hub.db
    .selectFrom("mail")
    .select("id")
    .where("mid", "=", mid)
    .where("channel_id", "<>", channel_id)
    .where("mail_seen", "=", 0)
    .execute();
  return copies.length;
}

/** Removes the channel's copies of all messages of the conversation to which this one belongs. Throws missing. */
export async function deleteConversation(hub: Hub, channel: Channel, id: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const { conv_guid } = await findMessage(hub, channel, id);
    await lockConversation(hub, channel, conv_guid);
    await removeCopies(hub, channel, await ofConversation(hub, channel, conv_guid).execute());
    await dropConversation(hub, channel, conv_guid);
  });
}

/**
 * The sender takes a message back: no copy of it has a text any more, and the notices of those who got it go. Throws missing, and
 * denied for what somebody else sent.
 */
export async function recallMessage(hub: Hub, channel: Channel, id: number): Promise<Mail> {
  return inTransaction(hub, async (hub) => {
    const mail = await findMessage(hub, channel, id);
    if (mail.from_xchan !== channel.channel_hash) throw refusal("not_the_sender");
    const readers = recipientsOf(mail);
    const found = await Promise.all(readers.map((hash) => findChannelByHash(hub, hash)));
    const here = found.filter((one) => one !== undefined);
    const sides = [channel.channel_id, ...here.map(({ channel_id }) => channel_id)];
    // In the order in which messages are sent: people must not wait for one another.
    for (const uid of sides.toSorted((one, other) => one - other)) {
      const copies = await emptyCopy(hub, uid, mail);
      if (uid !== channel.channel_id) await dropNoticesOfMails(hub, uid, copies);
    }
    await unshareMail(hub, mail.id);
    const elsewhere = readers.filter((hash) => here.every(({ channel_hash }) => channel_hash !== hash));
    for (const person of mail.mail_recalled === 0 ? elsewhere : [])
      await addDeed(hub, channel.channel_id, { deed: "recall", mid: idFor(mail, person), person });
    return findMessage(hub, channel, id);
  });
}

/** The same by somebody of elsewhere, for what they sent to people of this hub; nothing happens where that never came. */
export async function receiveRecall(hub: Hub, author: string, mid: string): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const mails = await hub.db
      .selectFrom("mail")
      .selectAll()
      .where("mid", "=", mid)
      .where("from_xchan", "=", author)
      .where("mail_recalled", "=", 0)
      .orderBy("channel_id")
      .execute();
    for (const mail of mails)
      await dropNoticesOfMails(hub, mail.channel_id, await emptyCopy(hub, mail.channel_id, mail));
  });
}

/** What was taken back waits for nobody, and a conversation that began with it has no subject any more. */
async function emptyCopy(hub: Hub, uid: number, { mid, parent_mid, conv_guid, from_xchan }: Mail): Promise<number[]> {
  if (mid === parent_mid)
    await hub.db
      .updateTable("conv")
      .set({ subject: "" })
      .where("uid", "=", uid)
      .where("guid", "=", conv_guid)
      .execute();
  const rows = await hub.db
    .updateTable("mail")
    .set({ ...empty, mail_recalled: 1, mail_seen: 1 })
    .where("channel_id", "=", uid)
    .where("mid", "=", mid)
    .where("from_xchan", "=", from_xchan)
    .returning("id")
    .execute();
  await emitToChannels(hub, "messages", [uid]);
  return rows.map((row) => row.id);
}

function ofConversation(hub: Hub, channel: Channel, guid: string) {
  return hub.db
    .selectFrom("mail")
    .select("id")
    .where("channel_id", "=", channel.channel_id)
    .where("conv_guid", "=", guid)
    .where("mail_deleted", "=", sql.lit(0));
}

/**
 * Whoever puts a message into the conversation meanwhile waits, and begins it anew if it goes. SQLite has one writer
 * anyway.
 */
async function lockConversation(hub: Hub, channel: Channel, guid: string): Promise<void> {
  if (hub.engine !== "postgres") return;
  await hub.db
    .selectFrom("conv")
    .select("id")
    .where("uid", "=", channel.channel_id)
    .where("guid", "=", guid)
    .forUpdate()
    .execute();
}

async function removeCopies(hub: Hub, channel: Channel, messages: readonly { id: number }[]): Promise<void> {
  const ids = messages.map((mail) => mail.id);
  if (ids.length === 0) return;
  await hub.db
    .updateTable("mail")
    .set({ ...empty, mail_deleted: 1, mail_seen: 1 })
    .where(isOneOf(hub.engine, sql.ref("id"), ids))
    .execute();
  await dropNoticesOfMails(hub, channel.channel_id, ids);
  await emitToChannels(hub, "messages", [channel.channel_id]);
}

async function dropConversation(hub: Hub, channel: Channel, guid: string): Promise<void> {
  await hub.db.deleteFrom("conv").where("uid", "=", channel.channel_id).where("guid", "=", guid).execute();
}
