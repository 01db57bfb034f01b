import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import { blockedAmong } from "../connections/connections.ts";
import { parseList } from "../identity/records/access-list.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findXchansByHash } from "../identity/xchans/xchans.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import type { Conversation, Mail } from "./types.ts";

/** With whom the channel exchanged a message. */
export function partnerOf(channel: Pick<Channel, "channel_hash">, mail: Pick<Mail, "from_xchan" | "to_xchan">): string {
  return mail.from_xchan === channel.channel_hash ? mail.to_xchan : mail.from_xchan;
}

/** Hashes of all who get a message: a record has one recipient, and names the others. */
export function recipientsOf({ to_xchan, also_to }: Pick<Mail, "to_xchan" | "also_to">): string[] {
  return [to_xchan, ...parseList(also_to)];
}

type Sides = Pick<Mail, "from_xchan" | "to_xchan" | "also_to">;

/** Everybody else who wrote a message or gets it, the partner first. */
export function othersIn(channel: Pick<Channel, "channel_hash">, mail: Sides): string[] {
  const all = new Set([partnerOf(channel, mail), mail.from_xchan, ...recipientsOf(mail)]);
  all.delete(channel.channel_hash);
  return [...all];
}

/** Everybody else who takes part in a conversation, as far as the hub knows them; those of the last message come first. */
export async function takingPart(
  hub: Hub,
  channel: Pick<Channel, "channel_id" | "channel_hash">,
  guid: string,
): Promise<Xchan[]> {
  const hashes = (await takingPartIn(hub, channel, [guid])).get(guid) ?? [];
  const people = new Map((await findXchansByHash(hub, hashes)).map((xchan) => [xchan.xchan_hash, xchan]));
  return hashes.flatMap((hash) => people.get(hash) ?? []);
}

/** Those of them whose channels are not gone. */
export function stillThere(people: readonly Xchan[]): Xchan[] {
  return people.filter(({ xchan_deleted }) => xchan_deleted === 0);
}

/** Those of them whom the channel does not block. */
export async function notBlocked(
  hub: Hub,
  channel: Pick<Channel, "channel_id">,
  people: readonly Xchan[],
): Promise<Xchan[]> {
  const hashes = people.map(({ xchan_hash }) => xchan_hash);
  const blocked = await blockedAmong(hub, channel.channel_id, hashes);
  return people.filter(({ xchan_hash }) => !blocked.has(xchan_hash));
}

/** Hashes of the same for several conversations, by their names. */
export async function takingPartIn(
  hub: Hub,
  channel: Pick<Channel, "channel_id" | "channel_hash">,
  guids: readonly string[],
): Promise<Map<string, string[]>> {
  if (guids.length === 0) return new Map();
  const sides = ["conv_guid", "from_xchan", "to_xchan", "also_to"] as const;
  const rows = await hub.db
    .selectFrom("mail")
    .select(sides)
    .where("channel_id", "=", channel.channel_id)
    .where("mail_deleted", "=", sql.lit(0))
    .where(isOneOf(hub.engine, sql.ref("conv_guid"), guids))
    .groupBy(sides)
    .orderBy(sql`max(id)`, "desc")
    .execute();
  const ofEach = Map.groupBy(rows, (row) => row.conv_guid);
  return new Map(
    [...ofEach].map(([guid, some]) => [guid, [...new Set(some.flatMap((row) => othersIn(channel, row)))]]),
  );
}

/** The newest message of each of these conversations that has any, by their names, and how many in it are unread. */
export async function newestOf(
  hub: Hub,
  uid: number,
  conversations: readonly Conversation[],
): Promise<Map<string, { mail: Mail; unseen: number }>> {
  const guids = conversations.map((conversation) => conversation.guid);
  if (guids.length === 0) return new Map();
  const rows = await hub.db
    .selectFrom("mail")
    .select("conv_guid")
    .select(sql<number>`max(id)`.as("newest"))
    .select(sql<number>`sum(1 - mail_seen)`.as("unseen"))
    .where("channel_id", "=", uid)
    .where("mail_deleted", "=", sql.lit(0))
    .where(isOneOf(hub.engine, sql.ref("conv_guid"), guids))
    .groupBy("conv_guid")
    .execute();
  const ids = rows.map((row) => Number(row.newest));
  const mails = await hub.db
    .selectFrom("mail")
    .selectAll()
    .where(isOneOf(hub.engine, sql.ref("id"), ids))
    .execute();
  const unseen = new Map(rows.map((row) => [row.conv_guid, Number(row.unseen)]));
  return new Map(mails.map((mail) => [mail.conv_guid, { mail, unseen: unseen.get(mail.conv_guid) ?? 0 }]));
}

/** What was said last between the channel and somebody else, as far as the channel still has it. */
export function lastBetween(hub: Hub, channel: Channel, partner: string): Promise<Mail | undefined> {
  return hub.db
    .selectFrom("mail")
    .selectAll()
    .where("channel_id", "=", channel.channel_id)
    .where("mail_deleted", "=", sql.lit(0))
    .where((x) => x.or([x("from_xchan", "=", partner), x("to_xchan", "=", partner)]))
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** The subject of a message; a title that only repeats how it begins, as programs give it, is none. */
export function subjectOf({ title, body }: Pick<Mail, "title" | "body">): string {
  return body.startsWith(title.replace(/\.\.\.$/, "")) ? "" : title;
}

type Begun = Pick<Mail, "title" | "created">;

/** Somebody with whom messages are exchanged; without a channel where that is somebody of elsewhere. */
export type Side = { hash: string; address: string; channel: Channel | undefined };

/** A channel of this hub as a side. */
export function sideOf({ config }: Hub, channel: Channel): Side {
  return { hash: channel.channel_hash, address: `${channel.channel_address}@${config.host}`, channel };
}

/**
 * Puts a message into a conversation on all sides, as far as they are here, a new one when it answers nothing; who has removed the conversation
 * gets it back. Answers its name.
 */
export async function openConversation(
  hub: Hub,
  { from, to }: { from: Side; to: readonly Side[] },
  mail: Begun,
  guid?: string,
): Promise<string> {
  const all = [from, ...to];
  const sides = all.flatMap(({ channel }) => channel ?? []);
  const addresses = all.map(({ address }) => address);
  const name = guid ?? randomBytes(32).toString("hex");
  const begun = guid === undefined ? undefined : await findEither(hub, sides, guid);
  // Always in the same order: two people who answer each other at once must not wait for one another.
  for (const side of sides.toSorted((one, other) => one.channel_id - other.channel_id)) {
    await hub.db
      .insertInto("conv")
      .values({
        uid: side.channel_id,
        guid: name,
        recips: begun?.recips || addresses.join(";"),
        creator: begun?.creator || addresses[0]!,
        created: begun?.created ?? mail.created,
        updated: mail.created,
        subject: begun?.subject ?? mail.title,
      })
      .onConflict((conflict) => conflict.columns(["uid", "guid"]).doUpdateSet({ updated: mail.created }))
      .execute();
  }
  return name;
}

function findEither(hub: Hub, sides: readonly Channel[], guid: string): Promise<Conversation | undefined> {
  return hub.db
    .selectFrom("conv")
    .selectAll()
    .where(
      "uid",
      "in",
      sides.map((side) => side.channel_id),
    )
    .where("guid", "=", guid)
    .orderBy("id")
    .executeTakeFirst();
}
