import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { sql } from "kysely";
import { isOneOf, sqlDate } from "../../storage/sql.ts";
import { escapeHtml } from "../bodies/escape.ts";
import { plainLine } from "../bodies/names.ts";
import { bbcodeOf } from "../bodies/texts.ts";
import { findChannelById } from "../identity/channels/channels.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { lockChannels } from "../identity/channels/lock-channels.ts";
import { observerElsewhere } from "../identity/channels/observer.ts";
import { formatList } from "../identity/records/access-list.ts";
import { comparableId, isSameId } from "../identity/xchans/foreign-ids.ts";
import { isDeleted } from "../items/deleted-ids.ts";
import { believableDate } from "../items/receiving/dates.ts";
import { contentHtml, layOutReceived } from "../items/receiving/layout.ts";
import { findThread } from "../items/receiving/place.ts";
import { wanting } from "../items/receiving/readers.ts";
import { keepWithheld, meantBy } from "../items/receiving/withheld.ts";
import type { ReceivedPost } from "../items/receiving/received.ts";
import { emitToChannels } from "../live/emit.ts";
import { notify } from "../notifications/notify.ts";
import { may } from "../permissions/may.ts";
import { openConversation, othersIn, sideOf, takingPart } from "./conversations.ts";
import { namedIn } from "./named.ts";
import { messageOf } from "./note-ids.ts";
import { mailAsShown } from "./visible-media.ts";
import type { Mail } from "./types.ts";

/** Direct messages from elsewhere: a record for each recipient of this hub (federation contract 5). */

/** So many other recipients are named above a message. */
const mostNamed = 20;

/**
 * Takes a message for each channel that it is addressed to and that takes messages from its author, or what was changed of it. It may
 * come again. Whoever does not want it hears nothing of it, and neither does its author.
 */
export async function receiveMessage(hub: Hub, post: ReceivedPost, isEdit: boolean): Promise<void> {
  const meant = await meantBy(hub, post);
  if (!(await isDeleted(hub, post.mid))) await keepWithheld(hub, post, meant, isEdit);
  for (const { channel_id } of await wanting(hub, post.author, [...meant.named])) {
    const recipient = await findChannelById(hub, channel_id);
    if (recipient) await receiveFor(hub, recipient, post, isEdit);
  }
}

async function receiveFor(hub: Hub, recipient: Channel, post: ReceivedPost, isEdit: boolean): Promise<void> {
  if (!(await may(hub, observerElsewhere(post.author), "post_mail", recipient.channel_id))) return;
  const text = await textFor(hub, recipient, post);
  await inTransaction(hub, async (hub) => {
    await lockChannels(hub, [recipient.channel_id]);
    if (await isDeleted(hub, post.mid)) return;
    const known = await findByMid(hub, recipient, post.mid);
    if (known) await change(hub, known, post, text, isEdit);
    else await add(hub, recipient, post, text);
    await emitToChannels(hub, "messages", [recipient.channel_id]);
  });
}

type Text = Pick<Mail, "title" | "body" | "html" | "plain" | "attach">;

async function textFor(hub: Hub, recipient: Channel, post: ReceivedPost): Promise<Text> {
  const text = (await aboutHtml(hub, post)) + othersHtml(hub, recipient, post) + (await contentHtml(hub, post));
  const layout = await layOutReceived(
    hub,
    { ...post, content: { text, mimetype: "text/html" }, source: undefined },
    mailAsShown(recipient.channel_id, post.mid),
  );
  const body = layout.mimetype === "text/bbcode" ? layout.body : await bbcodeOf(hub, layout.html);
  const { plain, attach } = layout;
  return { title: plainLine(post.title || post.summary, 255), body, html: layout.html, plain, attach };
}

/** What answers an item, and is for few, says which. */
async function aboutHtml(hub: Hub, { inReplyTo }: ReceivedPost): Promise<string> {
  const thread = inReplyTo === undefined ? undefined : await findThread(hub, inReplyTo);
  if (!thread) return "";
  const link = escapeHtml(thread.answered.plink);
  return `<p><a href="${link}">${link}</a></p>`;
}

function othersHtml(
  { config }: Hub,
  { channel_address }: Channel,
  { audience, mentions, author }: ReceivedPost,
): string {
  const own = [`${config.baseUrl}/channel/${channel_address}`, author.xchan_hash];
  const others = audience.addresses.filter((id) => !own.some((one) => isSameId(one, id)));
  if (others.length === 0) return "";
  const names = others.map((id) => mentions.find(({ href }) => isSameId(href, id))?.name || id);
  const more = names.length > mostNamed ? " …" : "";
  return `<p><em>also to ${escapeHtml(names.slice(0, mostNamed).join(", "))}${more}</em></p>`;
}

async function findByMid(hub: Hub, { channel_id }: Channel, mid: string): Promise<Mail | undefined> {
  return hub.db
    .selectFrom("mail")
    .selectAll()
    .where("channel_id", "=", channel_id)
    .where("mid", "=", mid)
    .executeTakeFirst();
}

/** The recipient's copy of what is answered, also where the answer names what another one of its readers has of it. */
async function findAnswered(hub: Hub, recipient: Channel, note: string | undefined): Promise<Mail | undefined> {
  if (note === undefined) return undefined;
  const exact = await findByMid(hub, recipient, note);
  if (exact) return exact;
  const message = messageOf(note);
  const notes = hub.db
    .selectFrom("mail")
    .selectAll()
    .where("channel_id", "=", recipient.channel_id)
    .where((x) => x.or([x("mid", "=", message), x.and([x("mid", ">", `${message}/`), x("mid", "<", `${message}0`)])]));
  return (await notes.orderBy("mid").execute()).find(({ mid }) => messageOf(mid) === message);
}

async function add(hub: Hub, recipient: Channel, post: ReceivedPost, text: Text): Promise<void> {
  const { author, mid } = post;
  const answered = await findAnswered(hub, recipient, post.inReplyTo);
  // What the recipient exchanged with somebody else is no business of this author.
  const before = answered && othersIn(recipient, answered).includes(author.xchan_hash) ? answered : undefined;
  const created = believableDate(hub, post.published);
  const from = { hash: author.xchan_hash, address: author.xchan_addr, channel: undefined };
  const begun = { title: text.title, created: now(hub) };
  const known = before?.conv_guid ?? (await conversationOf(hub, mid, author.xchan_hash));
  const conv_guid = await openConversation(hub, { from, to: [sideOf(hub, recipient)] }, begun, known);
  const others = [
    ...(await addressed(hub, recipient, post)),
    ...(before ? await spelledOutIn(hub, recipient, before, text) : []),
  ].filter((hash) => hash !== author.xchan_hash);
  const row = await hub.db
    .insertInto("mail")
    .values({
      ...text,
      convid: 0,
      conv_guid,
      from_xchan: author.xchan_hash,
      to_xchan: recipient.channel_hash,
      also_to: formatList(others),
      account_id: recipient.channel_account_id,
      channel_id: recipient.channel_id,
      mid,
      parent_mid: before?.parent_mid ?? mid,
      mail_isreply: before ? 1 : 0,
      mail_seen: 0,
      created,
      fed_meta: versionOf(post),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  if (before) await hub.db.updateTable("mail").set({ mail_replied: 1 }).where("id", "=", before.id).execute();
  await notify(hub, [{ kind: "mail", to: recipient, actor: author.xchan_id, mail: row.id }]);
}

/** Where others here have put the same message, so that they and this one answer each other in one conversation. */
async function conversationOf(hub: Hub, mid: string, author: string): Promise<string | undefined> {
  const row = await hub.db
    .selectFrom("mail")
    .select("conv_guid")
    .where("mid", "=", mid)
    .where("from_xchan", "=", author)
    .orderBy("id")
    .executeTakeFirst();
  return row?.conv_guid;
}

/** Hashes of those who get it, too, as far as the hub knows them; no more than are named above it. */
async function addressed(hub: Hub, recipient: Channel, { audience }: ReceivedPost): Promise<string[]> {
  const rows = await hub.db
    .selectFrom("xchan")
    .select("xchan_hash")
    .where((x) =>
      x.or([
        isOneOf(hub.engine, sql.ref("xchan_hash"), audience.addresses, "text"),
        isOneOf(hub.engine, sql.ref("xchan_url"), audience.addresses.map(comparableId), "text"),
      ]),
    )
    .where("xchan_hash", "<>", recipient.channel_hash)
    .where("xchan_deleted", "=", 0)
    .orderBy("xchan_id")
    .limit(mostNamed)
    .execute();
  return rows.map((row) => row.xchan_hash);
}

/** Those of a conversation whom a text names by their addresses: a hub that sends a note to each of them says only there who else gets one. */
async function spelledOutIn(hub: Hub, recipient: Channel, { conv_guid }: Mail, { plain }: Text): Promise<string[]> {
  const named = namedIn(hub, await takingPart(hub, recipient, conv_guid), plain);
  const whole = named.filter(({ start, end }) => plain.slice(start + 1, end).includes("@"));
  return whole.map(({ person }) => person.xchan_hash);
}

/** A newer version by the same author, which says that it is one; what is deleted stays so. */
async function change(hub: Hub, known: Mail, post: ReceivedPost, text: Text, isEdit: boolean): Promise<void> {
  const version = versionOf(post) || (isEdit ? sqlDate(hub.clock()) : "");
  if (known.from_xchan !== post.author.xchan_hash || known.mail_deleted === 1 || known.mail_recalled === 1) return;
  if (!isEdit || version <= known.fed_meta) return;
  const mark = `edited ${version}`;
  await hub.db
    .updateTable("mail")
    .set({
      ...text,
      body: `${text.body}\n\n[i]${mark}[/i]`,
      html: `${text.html}<p><i>${mark}</i></p>`,
      plain: `${text.plain}\n\n${mark}`,
      fed_meta: version,
    })
    .where("id", "=", known.id)
    .execute();
}

function versionOf({ updated }: ReceivedPost): string {
  return updated ? sqlDate(updated) : "";
}
