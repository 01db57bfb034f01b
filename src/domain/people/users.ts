import { sql } from "kysely";
import type { Nullable, SelectQueryBuilder, SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import type { Slots } from "../../storage/compiled-query.ts";
import type { ColumnName, RowOf } from "../../storage/row-of.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { Tables } from "../../storage/tables/index.ts";
import { avatarUrls } from "../identity/xchans/avatar-urls.ts";
import { identityOf } from "../identity/channels/observer.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { asksAs, channelsAllowing, openToEverybody } from "../permissions/may.ts";
import { coversOf } from "./covers.ts";
import { covered, hides, language, pictured, stars } from "./user-columns.ts";

/** What user objects show of an identity; loading no more keeps the busiest query of all narrow. */
const shownColumns = [
  "xchan.xchan_id",
  "xchan.xchan_hash",
  "xchan.xchan_name",
  "xchan.xchan_emoji",
  "xchan.xchan_addr",
  "xchan.xchan_url",
  "xchan.xchan_network",
  "xchan.xchan_photo_l",
  "xchan.xchan_photo_m",
  "xchan.xchan_photo_s",
  "xchan.xchan_created",
  "xchan.xchan_about",
  "xchan.xchan_location",
  "xchan.statuses_count",
] as const satisfies readonly ColumnName[];

type IdentityColumns = RowOf<typeof shownColumns>;

/** A person as the observer knows them: what user objects are made of. */
export type User = IdentityColumns & {
  /** Id of the observer's connection with them, 0 for none. */
  cid: number;
  following: boolean;
  requested: boolean;
  blocking: boolean;
  /** Do they live on this hub? */
  local: boolean;
  /** The observer's own user. */
  self: boolean;
  /** May the observer see what the profile says? */
  describes: boolean;
  /** What the observer's account reads; of others nobody learns it, and applications do not ask. */
  language: string;
  /** Has somebody chosen a picture, or is it drawn? */
  pictured: boolean;
  /** Resource of the cover photo, as far as the observer may see one. */
  cover: string;
  /** May the observer see with whom they are connected? Of people of elsewhere nobody knows. */
  showsConnections: boolean;
  friends: number;
  followers: number;
  /** Nor for this. */
  favourites: number;
};

/**
 * Loads people by xchan_id, each with what connects the observer with them; one query for any number of them. What only few
 * have takes some more: limits on who sees something, hidden connections and covers.
 */
export async function loadUsers(hub: Hub, observer: Observer, ids: readonly number[]): Promise<Map<number, User>> {
  if (ids.length === 0) return new Map();
  const rows = await compiled(hub, "people", askedOf(observer, ids), (slots) =>
    selectPeople(hub, slots).select([stars(slots.uid), language(slots.uid)]),
  );
  return usersOf(hub, observer, rows);
}

/** What `selectPeople` is asked with. */
export type AskedUsers = { ids: number[]; uid: number; who: string | undefined };

export function askedOf(observer: Observer, ids: readonly number[]): AskedUsers {
  return { ids: [...ids], uid: observer.channelId, who: asksAs(observer) };
}

/** The people of these rows as the observer knows them. */
export async function usersOf(hub: Hub, observer: Observer, rows: readonly UserRow[]): Promise<Map<number, User>> {
  const open = rows.flatMap(({ channel_id: uid, open }) => (uid === null ? [] : [{ uid, open }]));
  const known: Known = {
    uid: observer.channelId,
    drawn: avatarUrls(hub, 0).m,
    allowing: await channelsAllowing(hub, observer, shownByPermission, channelsOf(rows), open),
    hiding: await channelsHiding(hub, observer, channelsOf(rows.filter((row) => row.hides === 1))),
    covers: await coversOf(hub, observer, channelsOf(rows.filter((row) => row.covered === 1))),
  };
  return new Map(rows.map((row) => [row.xchan_id, userOf(row, known)]));
}

/** What of people only those see whom they permit it. */
const shownByPermission = ["view_contacts", "view_profile"] as const;

/** A query for people, with their channels and what connects the observer with them, if there are such. */
type PeopleQuery = SelectQueryBuilder<
  { [Table in keyof Tables]: Table extends "channel" | "abook" ? Nullable<Tables[Table]> : Tables[Table] },
  "xchan" | "channel" | "abook",
  PersonRow
>;

/** Rows of people, for a statement that is remembered. */
export function selectPeople(hub: Hub, { ids, uid, who }: Slots<AskedUsers>): PeopleQuery {
  return hub.db
    .selectFrom("xchan")
    .leftJoin("channel", (join) =>
      join.onRef("channel.channel_hash", "=", "xchan.xchan_hash").on("channel.channel_removed", "=", sql.lit(0)),
    )
    .leftJoin("abook", (join) =>
      join.onRef("abook.abook_xchan", "=", "xchan.xchan_hash").on("abook.abook_channel", "=", uid),
    )
    .select(shownColumns)
    .select(["channel.channel_id", "channel.friends_count", "channel.followers_count"])
    .select(["abook_id", "abook_self", "abook_blocked", "abook_archived", "abook_pending", "abook_unconnected"])
    .select("follow_out")
    .select([pictured, covered, hides, (who ? openToEverybody(who) : none).as("open")])
    .where(isOneOf(hub.engine, sql.ref("xchan.xchan_id"), ids));
}

const none = sql<number>`0`;

type Known = {
  uid: number;
  drawn: string;
  allowing: Record<(typeof shownByPermission)[number], Set<number>>;
  hiding: Set<number>;
  covers: Map<number, string>;
};

function channelsOf(rows: readonly UserRow[]): number[] {
  return rows.flatMap((row) => (row.channel_id === null ? [] : [row.channel_id]));
}

export type PersonRow = IdentityColumns & {
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
  pictured: number;
  covered: number;
  hides: number;
  /** What everybody may see of them. */
  open: number;
};

/** Stars and language are for user objects alone. */
export type UserRow = PersonRow & { stars?: number; language?: string };

/** The fields one by one: a spread costs as much as the query. */
function userOf(row: UserRow, { uid, drawn, allowing, hiding, covers }: Known): User {
  const channel = row.channel_id ?? 0;
  const local = channel > 0;
  const self = local && channel === uid;
  const isOther = row.abook_self === 0 && row.abook_unconnected === 0;
  const isApproved = isOther && row.abook_pending === 0 && row.abook_blocked === 0 && row.abook_archived === 0;
  const showsConnections = local && allowing.view_contacts.has(channel) && (self || !hiding.has(channel));
  const describes = !local || allowing.view_profile.has(channel);
  return {
    xchan_id: row.xchan_id,
    xchan_hash: row.xchan_hash,
    xchan_name: row.xchan_name,
    xchan_emoji: row.xchan_emoji,
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
    describes,
    language: row.language ?? "",
    pictured: local ? row.pictured === 1 : row.xchan_photo_m !== "" && row.xchan_photo_m !== drawn,
    cover: covers.get(channel) ?? "",
    showsConnections,
    friends: showsConnections ? (row.friends_count ?? 0) : 0,
    followers: showsConnections ? (row.followers_count ?? 0) : 0,
    favourites: row.stars ?? 0,
  };
}

/** Those of these channels of which the observer sees a profile that hides the connections. */
async function channelsHiding(hub: Hub, observer: Observer, uids: readonly number[]): Promise<Set<number>> {
  if (uids.length === 0) return new Set();
  const assigned = sql`select 1 from abook a join profile q on q.uid = a.abook_channel and q.profile_guid = a.abook_profile
    where a.abook_channel = profile.uid and a.abook_xchan = ${identityOf(observer) ?? ""}
    and a.abook_pending = 0 and a.abook_unconnected = 0 and a.abook_self = 0`;
  const rows = await hub.db
    .selectFrom("profile")
    .select("uid")
    .where(isOneOf(hub.engine, sql.ref("profile.uid"), uids))
    .where("hide_friends", "=", 1)
    .where(sql<SqlBool>`(exists (${assigned} and q.profile_guid = profile.profile_guid)
      or (profile.is_default = 1 and not exists (${assigned})))`)
    .execute();
  return new Set(rows.map((row) => row.uid));
}
