import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import type { ColumnName, RowOf } from "../../storage/row-of.ts";
import { isShownAdministrator } from "../identity/accounts/accounts.ts";
import { channelSettings } from "../identity/channels/channel-settings.ts";
import type { Quoters } from "../identity/channels/channel-settings.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { givenToAll, hasBlocked } from "../permissions/may.ts";
import { isSameOrigin } from "../identity/xchans/foreign-ids.ts";
import type { ActorField } from "../identity/xchans/foreign-actor.ts";
import { storedJson } from "../../stored-json.ts";
import { fieldsOf } from "./short-fields.ts";
import type { FieldHtml } from "./short-fields.ts";
import { roles } from "../identity/channels/roles.ts";
import { askedOf, selectPeople, shownByPermission, usersOf } from "./users.ts";
import type { User } from "./users.ts";

/** What applications show of somebody besides what user objects have. */
export type AccountDetails = {
  /** Whoever wants to follow asks first. */
  locked: boolean;
  bot: boolean;
  /** Runs the hub, where the site shows who does. */
  administrator: boolean;
  forum: boolean;
  hidden: boolean;
  /** Everybody may see what the channel posts for all. */
  streamPublic: boolean;
  limited: boolean;
  suspended: boolean;
  /** The day of the newest post (of somebody elsewhere: of those for all that have come), or its whole date; empty where nobody knows. */
  lastPost: string;
  /** The id of the actor that they go on as; empty for whom has not moved. */
  movedTo: string;
  /** The actor's id, where the hub knows one of elsewhere. */
  actorId: string;
  /** Who may quote their posts, where these do not say. */
  quoters: Quoters;
  /** For those who may see the profile. */
  fields: readonly FieldHtml[];
};

/** As they were filtered when the actor was read. */
function foreignFields(stored: string | null): FieldHtml[] {
  if (!stored) return [];
  return storedJson<ActorField[]>(stored).map(({ name, value, verified }) => ({ name, html: value, verified }));
}

/** The successor of a channel counts as long as it has moved there. */
function movedFrom(origin: string, successor: string): string {
  return isSameOrigin(successor, origin) ? successor : "";
}

const programs: readonly string[] = ["Service", "Application"];

/** People, by xchan_id; what applications show of them besides is known where it was asked for. */
export type KnownPeople = { users: Map<number, User>; accounts: Map<number, AccountDetails> };

/** Loads people with all of that, as the observer knows them, in as many queries as `loadUsers` takes. */
export async function loadAccounts(hub: Hub, observer: Observer, ids: readonly number[]): Promise<KnownPeople> {
  if (ids.length === 0) return { users: new Map(), accounts: new Map() };
  const rows = await compiled(hub, "people with details", askedOf(observer, ids), (slots) =>
    selectPeople(hub, slots)
      .leftJoin("actor", "actor.xchan_id", "xchan.xchan_id")
      .leftJoin("profile", (join) =>
        join.onRef("profile.uid", "=", "channel.channel_id").on("profile.is_default", "=", sql.lit(1)),
      )
      .select(xchanColumns)
      .select(furtherColumns)
      .select([settingsOf(hub).as("settings"), givenToAll(asked, channelId).as("given")])
      .select((slots.who ? hasBlocked(channelId, slots.who) : sql<SqlBool>`true`).as("closed"))
      .select(isShownAdministrator.as("runs_hub")),
  );
  const people = rows.map((row) =>
    Object.assign(row, { open: Number(row.closed) === 1 ? 0 : Number(row.given) & ~ofStream }),
  );
  return {
    users: await usersOf(hub, observer, people),
    accounts: new Map(people.map((row) => [row.xchan_id, detailsOf(row)])),
  };
}

/** What people permit is looked up together, the stream as the last of it. */
const asked = [...shownByPermission, "view_stream"] as const;
const ofStream = 2 ** shownByPermission.length;
const channelId = sql.ref<number>("channel.channel_id");

const { role, kind, autoApprove, shortFields, movedTo, quoters } = channelSettings;

type Place = { cat: string; k: string };

const told: readonly Place[] = [role, kind, autoApprove, shortFields, movedTo, quoters];

/**
 * What of the settings of a channel its details tell, in JSON: one look at them costs less than one for each. The empty word keeps
 * PostgreSQL from looking for each key in each family.
 */
function settingsOf({ engine }: Hub): RawBuilder<string | null> {
  const [cats, keys] = [told.map(({ cat }) => cat), told.map(({ k }) => k)].map((words) =>
    sql.join([...new Set(words)].map((word) => sql.lit(word))),
  );
  const object = sql.raw(engine === "sqlite" ? "json_group_object" : "json_object_agg");
  return sql`(select cast(${object}(c.cat || ' ' || c.k, c.v) as text) from config c
    where c.uid = channel.channel_id and c.cat in (${cats}) and c.k || '' in (${keys}))`;
}

function nameOf({ cat, k }: Place): string {
  return `${cat} ${k}`;
}

const xchanColumns = [
  "xchan.xchan_hidden",
  "xchan.xchan_censored",
  "xchan.xchan_deleted",
  "xchan.xchan_pubforum",
  "xchan.xchan_system",
] as const satisfies readonly ColumnName[];

/** Of the channel, the default profile and the actor, where there are such. */
const furtherColumns = [
  "channel.channel_id",
  "channel.channel_lastpost",
  "channel.channel_moved",
  "profile.homepage",
  "profile.locality",
  "profile.region",
  "profile.country_name",
  "actor.fields",
  "actor.actor_id",
  "actor.type",
  "actor.manually_approves",
  "actor.moved_to",
  "actor.last_post",
] as const satisfies readonly ColumnName[];

type Further = RowOf<typeof furtherColumns>;
type DetailRow = RowOf<typeof xchanColumns> & { [Name in keyof Further]: Further[Name] | null } & {
  settings: string | null;
  given: number;
  runs_hub: number;
};

function detailsOf(row: DetailRow): AccountDetails {
  const local = row.channel_id !== null;
  const settings = storedJson<Record<string, string>>(row.settings ?? "{}");
  const said = (place: Place): string | undefined => settings[nameOf(place)];
  const ownRole = role.read(said(role));
  const approves = ownRole === "custom" ? autoApprove.read(said(autoApprove)) : roles[ownRole].autoApprove;
  return {
    locked: local ? !approves : row.manually_approves === 1,
    bot: local ? kind.read(said(kind)) === "service" || row.xchan_system === 1 : programs.includes(row.type ?? ""),
    administrator: Number(row.runs_hub) === 1,
    forum: row.xchan_pubforum === 1,
    hidden: row.xchan_hidden === 1,
    streamPublic: (Number(row.given) & ofStream) > 0,
    limited: row.xchan_censored === 1,
    suspended: row.xchan_deleted === 1,
    lastPost: row.channel_lastpost ?? row.last_post ?? "",
    movedTo: local ? movedFrom(row.channel_moved ?? "", said(movedTo) ?? "") : (row.moved_to ?? ""),
    actorId: row.actor_id ?? "",
    quoters: quoters.read(said(quoters)),
    fields:
      row.homepage === null
        ? foreignFields(row.fields)
        : fieldsOf(row as Parameters<typeof fieldsOf>[0], shortFields.read(said(shortFields)) ?? []),
  };
}
