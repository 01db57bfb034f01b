import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import { observerOf } from "../identity/channel.ts";
import type { Channel, Xchan } from "../identity/channel.ts";
import { allowed, someone } from "../permissions/allowed.ts";

/** A person as the caller knows them: what user objects are made of (microblog contract 7.1). */
export type User = Omit<Xchan, "xchan_pubkey" | "xchan_guid_sig"> & {
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

const columns = [
  "xchan_id", "xchan_hash", "xchan_guid", "xchan_photo_mimetype", "xchan_photo_l", "xchan_photo_m", "xchan_photo_s",
  "xchan_addr", "xchan_url", "xchan_connurl", "xchan_follow", "xchan_connpage", "xchan_name", "xchan_network",
  "xchan_instance_url", "xchan_flags", "xchan_photo_date", "xchan_name_date", "xchan_hidden", "xchan_orphan",
  "xchan_censored", "xchan_selfcensored", "xchan_system", "xchan_pubforum", "xchan_deleted", "xchan_created",
  "xchan_about", "xchan_location", "statuses_count",
] as const;

/** Loads people by xchan_id, each with what connects the caller with them; at most two queries for any number. */
export async function loadUsers(hub: Hub, caller: Channel | undefined, ids: number[]): Promise<Map<number, User>> {
  const who = caller && observerOf(caller);
  const uid = caller?.channel_id ?? 0;
  const countsShown = await allowed(hub, someone(who), "view_contacts", sql.ref<number>("channel.channel_id"));
  const rows = await hub.db
    .selectFrom("xchan")
    .leftJoin("channel", (join) => join.onRef("channel.channel_hash", "=", "xchan.xchan_hash").on("channel.channel_removed", "=", 0))
    .leftJoin("abook", (join) => join.onRef("abook.abook_xchan", "=", "xchan.xchan_hash").on("abook.abook_channel", "=", uid))
    .select(columns)
    .select(["channel_id", "friends_count", "followers_count", "abook_id", "abook_self", "abook_blocked", "abook_archived", "abook_pending", "follow_out"])
    .select(sql<number>`case when channel.channel_id is not null and ${countsShown} then 1 else 0 end`.as("countsShown"))
    .where(isOneOf(hub.engine, sql.ref("xchan.xchan_id"), ids))
    .execute();
  const favourites = caller && ids.includes(caller.xchan_id) ? await countStars(hub, uid) : 0;
  return new Map(rows.map((row) => [row.xchan_id, userOf(row, uid, favourites)]));
}

type Row = Omit<Xchan, "xchan_pubkey" | "xchan_guid_sig"> & {
  channel_id: number | null;
  friends_count: number | null;
  followers_count: number | null;
  abook_id: number | null;
  abook_self: number | null;
  abook_blocked: number | null;
  abook_archived: number | null;
  abook_pending: number | null;
  follow_out: string | null;
  countsShown: number;
};

function userOf(row: Row, uid: number, favourites: number): User {
  const self = uid > 0 && row.channel_id === uid;
  const { channel_id, friends_count, followers_count, abook_id, abook_self, abook_blocked, abook_archived, abook_pending, follow_out, countsShown, ...xchan } = row;
  const approved = abook_self === 0 && abook_pending === 0 && abook_blocked === 0 && abook_archived === 0;
  return {
    ...xchan,
    cid: abook_self === 0 ? (abook_id ?? 0) : 0,
    following: approved && follow_out === "accepted",
    requested: approved && follow_out === "requested",
    blocking: abook_blocked === 1,
    local: channel_id !== null,
    self,
    friends: countsShown === 1 ? (friends_count ?? 0) : 0,
    followers: countsShown === 1 ? (followers_count ?? 0) : 0,
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
