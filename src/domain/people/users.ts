import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { remembered } from "../../storage/remembered.ts";
import { isOneOf } from "../../storage/sql.ts";
import { observerOf } from "../identity/channel.ts";
import type { Channel, Xchan } from "../identity/channel.ts";
import { channelsAllowing } from "../permissions/may.ts";

/** What user objects show of an identity; loading no more keeps the busiest query of all narrow. */
const shownColumns = [
  "xchan_id",
  "xchan_hash",
  "xchan_name",
  "xchan_addr",
  "xchan_url",
  "xchan_network",
  "xchan_photo_l",
  "xchan_photo_m",
  "xchan_photo_s",
  "xchan_created",
  "xchan_about",
  "xchan_location",
  "statuses_count",
] as const;

type ShownIdentity = Pick<Xchan, (typeof shownColumns)[number]>;

/** A person as the caller knows them: what user objects are made of (microblog contract 7.1). */
export type User = ShownIdentity & {
  /** Id of the caller's connection with them, 0 for none. */
  cid: number;
  following: boolean;
  requested: boolean;
  blocking: boolean;
  /** Do they live on this hub? */
  local: boolean;
  /** The caller's own user. */
  self: boolean;
  friends: number;
  followers: number;
  favourites: number;
};

/** Loads people by xchan_id, each with what connects the caller with them; at most four queries for any number. */
export async function loadUsers(hub: Hub, caller: Channel | undefined, ids: number[]): Promise<Map<number, User>> {
  const who = caller && observerOf(caller);
  const uid = caller?.channel_id ?? 0;
  const rows = await remembered(hub, "people", { ids, uid }, (slots) =>
    hub.db
      .selectFrom("xchan")
      .leftJoin("channel", (join) =>
        join.onRef("channel.channel_hash", "=", "xchan.xchan_hash").on("channel.channel_removed", "=", sql.lit(0)),
      )
      .leftJoin("abook", (join) =>
        join.onRef("abook.abook_xchan", "=", "xchan.xchan_hash").on("abook.abook_channel", "=", slots.uid),
      )
      .select(shownColumns)
      .select(["channel_id", "friends_count", "followers_count"])
      .select(["abook_id", "abook_self", "abook_blocked", "abook_archived", "abook_pending", "follow_out"])
      .where(isOneOf(hub.engine, sql.ref("xchan.xchan_id"), slots.ids)),
  );
  const favourites = caller && ids.includes(caller.xchan_id) ? await countStars(hub, uid) : 0;
  const channels = rows.flatMap((row) => (row.channel_id === null ? [] : [row.channel_id]));
  const counted = await channelsAllowing(hub, who, "view_contacts", channels);
  return new Map(rows.map((row) => [row.xchan_id, userOf(row, uid, favourites, counted)]));
}

type Row = ShownIdentity & {
  channel_id: number | null;
  friends_count: number | null;
  followers_count: number | null;
  abook_id: number | null;
  abook_self: number | null;
  abook_blocked: number | null;
  abook_archived: number | null;
  abook_pending: number | null;
  follow_out: string | null;
};

/** The fields one by one: a spread costs as much as the query. */
function userOf(row: Row, uid: number, favourites: number, counted: Set<number>): User {
  const self = uid > 0 && row.channel_id === uid;
  const isOther = row.abook_self === 0;
  const isApproved = isOther && row.abook_pending === 0 && row.abook_blocked === 0 && row.abook_archived === 0;
  const showsCounts = row.channel_id !== null && counted.has(row.channel_id);
  return {
    xchan_id: row.xchan_id,
    xchan_hash: row.xchan_hash,
    xchan_name: row.xchan_name,
    xchan_addr: row.xchan_addr,
    xchan_url: row.xchan_url,
    xchan_network: row.xchan_network,
    xchan_photo_l: row.xchan_photo_l,
    xchan_photo_m: row.xchan_photo_m,
    xchan_photo_s: row.xchan_photo_s,
    xchan_created: row.xchan_created,
    xchan_about: row.xchan_about,
    xchan_location: row.xchan_location,
    statuses_count: row.statuses_count,
    cid: isOther ? (row.abook_id ?? 0) : 0,
    following: isApproved && row.follow_out === "accepted",
    requested: isApproved && row.follow_out === "requested",
    blocking: row.abook_blocked === 1,
    local: row.channel_id !== null,
    self,
    friends: showsCounts ? (row.friends_count ?? 0) : 0,
    followers: showsCounts ? (row.followers_count ?? 0) : 0,
    favourites: self ? favourites : 0,
  };
}

async function countStars(hub: Hub, uid: number): Promise<number> {
  const row = await hub.db
    .selectFrom("item")
    .select((x) => x.fn.countAll<number>().as("stars"))
    .where("uid", "=", uid)
    .where("item_starred", "=", sql.lit(1))
    .executeTakeFirstOrThrow();
  return Number(row.stars);
}
