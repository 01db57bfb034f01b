import { sql } from "kysely";
import type { RawBuilder, SelectQueryBuilder, SqlBool } from "kysely";
import { missing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { contains, folded, isOneOf } from "../../storage/sql.ts";
import type { Tables } from "../../storage/tables/index.ts";
import type { Channel } from "../identity/channels/channel.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { findXchansByHash } from "../identity/xchans/xchans.ts";
import { unseenThreads } from "../items/timelines/direct-threads.ts";
import { mostWaiting } from "../notifications/notices.ts";
import { recipientsOf } from "./conversations.ts";
import { messagesNaming } from "./find-text.ts";
import type { Bounds } from "./find-text.ts";
import type { Mail, MailPage } from "./types.ts";
import { cutPage } from "../../storage/key-page.ts";

type Own = Pick<Channel, "channel_id" | "channel_hash">;

/** Which of the channel's messages, newest first; `maxId` is inclusive. */
export type MailQuery = {
  box: "received" | "sent" | "all";
  /** Only this conversation, by its guid. */
  conversation?: string | undefined;
  /** Only what was exchanged with this identity, by its hash. */
  partner?: string | undefined;
  /** Text that the body contains, in any case; no character of it has a special meaning. */
  search?: string | undefined;
  sinceId?: number | undefined;
  maxId?: number | undefined;
  /** From 1. */
  page?: number | undefined;
  count: number;
};

type MailRows = SelectQueryBuilder<Tables, "mail", Mail>;

/** A page of the channel's own messages; nobody else's are ever among them. Reading marks nothing as seen. */
export async function listMessages(hub: Hub, channel: Own, query: MailQuery): Promise<MailPage> {
  let rows = boxOf(ownMail(hub, channel), channel, query);
  if (query.conversation !== undefined) rows = rows.where("conv_guid", "=", query.conversation);
  const skip = (Math.max(1, query.page ?? 1) - 1) * query.count;
  if (query.search !== undefined) rows = rows.where(await saying(hub, channel, query.search, { ...query, skip }));
  if (query.sinceId !== undefined) rows = rows.where("id", ">", query.sinceId);
  if (query.maxId !== undefined) rows = rows.where("id", "<=", query.maxId);
  const messages = await rows.orderBy("id", "desc").limit(query.count).offset(skip).execute();
  return { messages, people: await peopleOf(hub, messages) };
}

/** The messages of the conversation to which one of the channel's messages belongs, the newest `count` of them, oldest first. */
export async function readConversation(
  hub: Hub,
  channel: Own,
  id: number,
  { before, count }: { before?: number | undefined; count: number },
): Promise<MailPage & { of: Mail; next: number | undefined }> {
  const of = await findMessage(hub, channel, id);
  const { messages, people } = await listMessages(hub, channel, {
    box: "all",
    conversation: of.conv_guid,
    maxId: before === undefined ? undefined : before - 1,
    count: count + 1,
  });
  const { page, next } = cutPage(messages, count, (mail) => mail.id);
  return { of, messages: page.toReversed(), people, next };
}

/** The channel's copy of a message. Throws missing, alike for those of others and for those that never were. */
export async function findMessage(hub: Hub, channel: Own, id: number): Promise<Mail> {
  const mail = await ownMessage(hub, channel, id);
  if (!mail) throw missing("Message");
  return mail;
}

/** The same, or undefined. */
export async function ownMessage(hub: Hub, channel: Own, id: number): Promise<Mail | undefined> {
  return ownMail(hub, channel).where("id", "=", id).executeTakeFirst();
}

/** How many messages the channel has not read, up to `mostWaiting`, and how many conversations of several that are direct threads. */
export async function countUnseenMessages(hub: Hub, uid: number): Promise<number> {
  const [found] = await compiled(hub, "count unseen messages", { uid }, (slots) => {
    const unseen = hub.db
      .selectFrom("mail")
      .select("id")
      .where("channel_id", "=", slots.uid)
      .where("mail_seen", "=", sql.lit(0))
      .where("mail_deleted", "=", sql.lit(0))
      .limit(sql.lit(mostWaiting));
    return hub.db
      .selectFrom(unseen.as("unseen"))
      .select((eb) => [eb.fn.countAll<number>().as("mails"), unseenThreads(slots.uid).as("threads")]);
  });
  return Number(found!.mails) + Number(found!.threads);
}

/** Whoever wrote these messages or gets them, by hash. */
export async function peopleOf(hub: Hub, messages: readonly Mail[]): Promise<Map<string, Xchan>> {
  const hashes = new Set(messages.flatMap((mail) => [mail.from_xchan, ...recipientsOf(mail)]));
  const people = await findXchansByHash(hub, [...hashes]);
  return new Map(people.map((xchan) => [xchan.xchan_hash, xchan]));
}

/** The channel's copies of messages with these ids, by id. */
export async function ownMessages(hub: Hub, channel: Own, ids: readonly number[]): Promise<Map<number, Mail>> {
  if (ids.length === 0) return new Map();
  const rows = await ownMail(hub, channel)
    .where(isOneOf(hub.engine, sql.ref("id"), ids))
    .execute();
  return new Map(rows.map((mail) => [mail.id, mail]));
}

/** The channel's copies of the messages that these answer, by mid. */
export async function answeredBy(hub: Hub, channel: Own, messages: readonly Mail[]): Promise<Map<string, Mail>> {
  const mids = messages.filter((mail) => mail.parent_mid !== mail.mid).map((mail) => mail.parent_mid);
  if (mids.length === 0) return new Map();
  const rows = await ownMail(hub, channel)
    .where(isOneOf(hub.engine, sql.ref("mid"), [...new Set(mids)]))
    .execute();
  return new Map(rows.map((mail) => [mail.mid, mail]));
}

function ownMail(hub: Hub, channel: Own): MailRows {
  return hub.db
    .selectFrom("mail")
    .selectAll()
    .where("channel_id", "=", channel.channel_id)
    .where("mail_deleted", "=", sql.lit(0));
}

function boxOf(rows: MailRows, { channel_hash: own }: Own, { box, partner }: MailQuery): MailRows {
  if (box === "all" && partner !== undefined)
    return rows.where((x) =>
      x.or([
        x.and([x("from_xchan", "=", partner), x("to_xchan", "=", own)]),
        x.and([x("from_xchan", "=", own), x("to_xchan", "=", partner)]),
      ]),
    );
  if (box === "all") return rows;
  const [mine, theirs] = box === "sent" ? (["from_xchan", "to_xchan"] as const) : (["to_xchan", "from_xchan"] as const);
  const boxed = rows.where(mine, "=", own);
  return partner === undefined ? boxed : boxed.where(theirs, "=", partner);
}

async function saying(hub: Hub, { channel_id }: Own, text: string, bounds: Bounds): Promise<RawBuilder<SqlBool>> {
  const among = isOneOf(hub.engine, sql.ref("id"), await messagesNaming(hub, channel_id, text, bounds));
  const holds = contains(hub.engine, folded(hub.engine, sql.ref("body")), folded(hub.engine, sql`${text}`));
  return sql<SqlBool>`(${among} and ${holds})`;
}
