import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import type { ColumnName, RowOf } from "../../storage/row-of.ts";
import { isShownAdministrator } from "../identity/accounts/accounts.ts";
import { channelSettings } from "../identity/channels/channel-settings.ts";
import type { Quoters } from "../identity/channels/channel-settings.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { isOpen } from "../permissions/may.ts";
import { isSameOrigin } from "../identity/xchans/foreign-ids.ts";
import type { ActorField } from "../identity/xchans/foreign-actor.ts";
import { storedJson } from "../../stored-json.ts";
import { fieldsOf } from "./short-fields.ts";
import type { FieldHtml } from "./short-fields.ts";
import { roles } from "../identity/channels/roles.ts";
import { askedOf, selectPeople, usersOf } from "./users.ts";
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
      .select(isShownAdministrator.as("runs_hub")),
  );
  return {
    users: await usersOf(hub, observer, rows),
    accounts: new Map(rows.map((row) => [row.xchan_id, detailsOf(row)])),
  };
}

const { role, kind, autoApprove, shortFields, movedTo, quoters } = channelSettings;

/** What accounts show of the settings of a channel: what `channel_shown` has, and no other can be read of it. */
export const shownSettings = [role, kind, autoApprove, shortFields, movedTo, quoters] as const;

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
  "channel.channel_open",
  "channel.channel_shown",
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
  runs_hub: number;
};

function detailsOf(row: DetailRow): AccountDetails {
  const local = row.channel_id !== null;
  const settings = storedJson<Record<string, string>>(row.channel_shown ?? "{}");
  const said = ({ cat, k }: (typeof shownSettings)[number]): string | undefined => settings[`${cat} ${k}`];
  const ownRole = role.read(said(role));
  const approves = ownRole === "custom" ? autoApprove.read(said(autoApprove)) : roles[ownRole].autoApprove;
  return {
    locked: local ? !approves : row.manually_approves === 1,
    bot: local ? kind.read(said(kind)) === "service" || row.xchan_system === 1 : programs.includes(row.type ?? ""),
    administrator: Number(row.runs_hub) === 1,
    forum: row.xchan_pubforum === 1,
    hidden: row.xchan_hidden === 1,
    streamPublic: isOpen(row.channel_open ?? 0, "view_stream"),
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
