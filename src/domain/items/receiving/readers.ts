import { sql } from "kysely";
import type { SelectQueryBuilder, SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { Tables } from "../../../storage/tables/index.ts";
import { unwantedBy } from "../../connections/unwanted.ts";
import { comparableId } from "../../identity/xchans/foreign-ids.ts";
import { followersAddressOf } from "../../identity/xchans/actors.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { allowedTo } from "../../permissions/allowed.ts";
import { passesFilter } from "../delivery/connection-filter.ts";
import type { Recipient } from "../delivery/recipients.ts";
import { no } from "../queries.ts";
import type { Item } from "../types.ts";
import type { ReceivedAudience } from "./received.ts";

/** The channels of this hub that something from elsewhere is stored for (federation contract 5, 6.4). */

/** The audience of something by this author, as far as this hub is concerned. */
export type Audience = {
  isPublic: boolean;
  isUnlisted: boolean;
  /** Those who follow the author are meant. */
  followers: boolean;
  /** All ids and addresses in the form in which they compare. */
  addresses: ReadonlySet<string>;
  /** Channels that are named, or that were told without being named. */
  named: ReadonlySet<number>;
};

/** Finds out what the addresses of something mean here. */
export async function audienceHere(hub: Hub, author: Xchan, given: ReceivedAudience): Promise<Audience> {
  const isPublic = given.for !== "named";
  const addresses = new Set(given.addresses.map(comparableId));
  const collection = await followersAddressOf(hub, author.xchan_id);
  const rows = await compiled(hub, "channels among addresses", { addresses: [...addresses] }, (slots) =>
    hub.db
      .selectFrom("channel")
      .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
      .select("channel.channel_id")
      .where(isOneOf(hub.engine, sql.ref("xchan.xchan_url"), slots.addresses, "text"))
      .where("channel.channel_removed", "=", no),
  );
  const named = rows.map((row) => row.channel_id);
  return {
    isPublic,
    isUnlisted: given.for === "everybody, unlisted",
    followers: collection !== "" && addresses.has(comparableId(collection)),
    addresses,
    // To whose own inbox something public came was not thereby addressed.
    named: new Set(isPublic ? named : [...named, ...given.inboxes]),
  };
}

/** What a channel's own filters look at. */
export type Filtered = Pick<Item, "title" | "plain" | "lang">;

/** A channel that something is stored for, and whether it follows the author. */
export type Reader = Recipient & { follows: boolean };

/** Those who follow the author and take what the author posts, and those who are named; not who does not want the author. */
export async function readersOf(hub: Hub, author: Xchan, audience: Audience, text: Filtered): Promise<Reader[]> {
  const following = audience.isPublic || audience.followers ? await followersHere(hub, author, text) : [];
  const known = new Set(following.map((reader) => reader.channel_id));
  const named = await wanting(
    hub,
    author,
    [...audience.named].filter((id) => !known.has(id)),
  );
  return [
    ...following.map((reader) => ({ ...reader, follows: true })),
    ...named.map((reader) => ({ ...reader, follows: false })),
  ];
}

/** Of those who follow the author these are meant: all, or those of them who are named. */
export async function followersAmong(
  hub: Hub,
  author: Xchan,
  { isPublic, followers, named }: Audience,
  text: Filtered,
): Promise<Recipient[]> {
  const all = await followersHere(hub, author, text);
  return isPublic || followers ? all : all.filter(({ channel_id }) => named.has(channel_id));
}

/** Does anybody here follow this person, or is anybody named? */
export async function isForAnybody(hub: Hub, author: Xchan, given: ReceivedAudience): Promise<boolean> {
  const { named, isPublic, followers } = await audienceHere(hub, author, given);
  return named.size > 0 || ((isPublic || followers) && (await isFollowedHere(hub, author.xchan_hash)));
}

/** Does anybody here follow whoever has this identity, or want to? */
export async function isFollowedHere(hub: Hub, hash: string): Promise<boolean> {
  const row = await hub.db
    .selectFrom("abook")
    .select("abook_id")
    .where("abook_xchan", "=", hash)
    .where("follow_out", "in", ["requested", "accepted"])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The channels that follow this person, for conditions: whether or not they take what is posted. */
export function channelsFollowing(
  hub: Hub,
  { xchan_hash }: Xchan,
): SelectQueryBuilder<Tables, "abook", { channel_id: number }> {
  return hub.db
    .selectFrom("abook")
    .select("abook_channel as channel_id")
    .where("abook_xchan", "=", xchan_hash)
    .where("follow_out", "=", "accepted");
}

async function followersHere(hub: Hub, author: Xchan, text: Filtered): Promise<Recipient[]> {
  const { host, hostname } = new URL(author.xchan_hash);
  const given = { hash: author.xchan_hash, host, hostname };
  const rows = await compiled(hub, "followers here of somebody elsewhere", given, ({ hash, ...at }) => {
    const sender = { hash, at, channelId: 0, native: false };
    return channels(hub)
      .innerJoin("abook", (join) =>
        join.onRef("abook.abook_channel", "=", "channel.channel_id").on("abook.abook_xchan", "=", hash),
      )
      .select(["abook.abook_incl", "abook.abook_excl"])
      .where("abook.follow_out", "=", "accepted")
      .where(allowedTo(sender, "send_stream", sql.ref<number>("channel.channel_id")));
  });
  return rows.filter((row) => passesFilter(row, text));
}

/** Those of these channels that have neither blocked nor ignored the author. */
export async function wanting(hub: Hub, author: Xchan, ids: readonly number[]): Promise<Recipient[]> {
  if (ids.length === 0) return [];
  return channels(hub)
    .where(isOneOf(hub.engine, sql.ref("channel.channel_id"), ids))
    .where(sql<SqlBool>`${author.xchan_id} not in (${unwantedBy(sql.ref("channel.channel_id"))})`)
    .execute();
}

/** The channels that have this message. */
export async function havingMessage(hub: Hub, messageId: number): Promise<number[]> {
  const rows = await hub.db
    .selectFrom("item")
    .select("uid")
    .where("message_id", "=", messageId)
    .where("item_deleted", "=", no)
    .orderBy("uid")
    .execute();
  return rows.map((row) => row.uid);
}

/** Whoever has moved away has everything at the new place. */
function channels(hub: Hub) {
  return hub.db
    .selectFrom("channel")
    .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
    .select(["channel.channel_id", "channel.channel_account_id", "xchan.xchan_id", "xchan.xchan_url"])
    .where("channel.channel_removed", "=", no)
    .where("channel.channel_moved", "=", sql.lit(""))
    .orderBy("channel.channel_id");
}
