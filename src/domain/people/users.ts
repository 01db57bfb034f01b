import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { remembered } from "../../storage/remembered.ts";
import { isOneOf } from "../../storage/sql.ts";
import { avatarUrls } from "../identity/avatar-urls.ts";
import { observerOf } from "../identity/channel.ts";
import type { Channel, Xchan } from "../identity/channel.ts";
import { channelsAllowing } from "../permissions/may.ts";
import { channelsHiding } from "./channels-hiding.ts";
import { coversOf } from "./covers.ts";

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
  /** What the caller's account reads; of others nobody learns it. */
  language: string;
  /** Has somebody chosen a picture, or is it drawn? */
  pictured: boolean;
  /** Resource of the cover photo, as far as the caller may see one. */
  cover: string;
  friends: number;
  followers: number;
  favourites: number;
};

/**
 * Loads people by xchan_id, each with what connects the caller with them; at most four queries for any number, and one or
 * two more where somebody hides connections or has a cover. Of channels here the caller learns what each allows.
 */
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
      .select(["abook_id", "abook_self", "abook_blocked", "abook_archived", "abook_pending", "abook_unconnected"])
      .select("follow_out")
      .select(extras)
      .where(isOneOf(hub.engine, sql.ref("xchan.xchan_id"), slots.ids)),
  );
  const channels = rows.flatMap((row) => (row.channel_id === null ? [] : [row.channel_id]));
  const allowing = await channelsAllowing(hub, who, ["view_contacts", "view_profile"], channels);
  const known: Known = {
    uid,
    own: caller && ids.includes(caller.xchan_id) ? await ownFigures(hub, caller) : { stars: 0, language: "" },
    counted: allowing.view_contacts,
    described: allowing.view_profile,
    hiding: await channelsHiding(hub, who, channelsWith(rows, "hides")),
    covers: await coversOf(hub, who, channelsWith(rows, "covered")),
    drawn: avatarUrls(hub, 0).m,
  };
  return new Map(rows.map((row) => [row.xchan_id, userOf(row, known)]));
}

/** What few channels have, asked on the way. */
const extras = [
  sql<number>`exists (select 1 from photo f where f.uid = channel_id and f.imgscale = 5 and f.photo_usage = 1)`.as(
    "pictured",
  ),
  sql<number>`exists (select 1 from photo f where f.uid = channel_id and f.imgscale = 7 and f.photo_usage = 16)`.as(
    "covered",
  ),
  sql<number>`exists (select 1 from profile p where p.uid = channel_id and p.hide_friends = 1)`.as("hides"),
];

type Known = {
  uid: number;
  own: { stars: number; language: string };
  counted: Set<number>;
  described: Set<number>;
  hiding: Set<number>;
  covers: Map<number, string>;
  drawn: string;
};

function channelsWith(rows: readonly Row[], extra: "hides" | "covered"): number[] {
  return rows.flatMap((row) => (row.channel_id !== null && row[extra] ? [row.channel_id] : []));
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
  abook_unconnected: number | null;
  follow_out: string | null;
  pictured: number | boolean;
  covered: number | boolean;
  hides: number | boolean;
};

/** The fields one by one: a spread costs as much as the query. */
function userOf(row: Row, { uid, own, counted, described, hiding, covers, drawn }: Known): User {
  const channel = row.channel_id ?? 0;
  const local = channel > 0;
  const self = local && channel === uid;
  const isOther = row.abook_self === 0 && row.abook_unconnected === 0;
  const isApproved = isOther && row.abook_pending === 0 && row.abook_blocked === 0 && row.abook_archived === 0;
  const showsCounts = local && counted.has(channel) && (self || !hiding.has(channel));
  const describes = !local || described.has(channel);
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
    xchan_about: describes ? row.xchan_about : "",
    xchan_location: describes ? row.xchan_location : "",
    statuses_count: row.statuses_count,
    cid: isOther ? (row.abook_id ?? 0) : 0,
    following: isApproved && row.follow_out === "accepted",
    requested: isApproved && row.follow_out === "requested",
    blocking: row.abook_blocked === 1,
    local,
    self,
    language: self ? own.language : "",
    pictured: local ? Boolean(row.pictured) : row.xchan_photo_m !== "" && row.xchan_photo_m !== drawn,
    cover: covers.get(channel) ?? "",
    friends: showsCounts ? (row.friends_count ?? 0) : 0,
    followers: showsCounts ? (row.followers_count ?? 0) : 0,
    favourites: self ? own.stars : 0,
  };
}

async function ownFigures(
  hub: Hub,
  { channel_id: uid, channel_account_id: aid }: Channel,
): Promise<{ stars: number; language: string }> {
  const row = await hub.db
    .selectFrom("item")
    .select((x) => x.fn.countAll<number>().as("stars"))
    .select((x) => x.selectFrom("account").select("account_language").where("account_id", "=", aid).as("language"))
    .where("uid", "=", uid)
    .where("item_starred", "=", sql.lit(1))
    .executeTakeFirstOrThrow();
  return { stars: Number(row.stars), language: row.language ?? "" };
}
