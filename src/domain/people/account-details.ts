import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { isOneOf } from "../../storage/sql.ts";
import { channelSettings } from "../identity/channels/channel-settings.ts";
import { isSameOrigin } from "../identity/xchans/foreign-ids.ts";
import type { ActorField } from "../identity/xchans/foreign-actor.ts";
import { storedJson } from "../../stored-json.ts";
import { fieldsOf } from "./short-fields.ts";
import type { FieldHtml } from "./short-fields.ts";
import { roles } from "../identity/channels/roles.ts";

/** What applications show of somebody besides what user objects have. */
export type AccountDetails = {
  /** Whoever wants to follow asks first. */
  locked: boolean;
  bot: boolean;
  forum: boolean;
  hidden: boolean;
  limited: boolean;
  suspended: boolean;
  /** The day of the newest post (of somebody elsewhere: of those for all that have come), or its whole date; empty where nobody knows. */
  lastPost: string;
  /** The id of the actor that they go on as; empty for whom has not moved. */
  movedTo: string;
  /** The actor's id, where the hub knows one of elsewhere. */
  actorId: string;
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

/** Loads that of these people, by xchan_id, in one query. */
export async function loadAccountDetails(hub: Hub, ids: readonly number[]): Promise<Map<number, AccountDetails>> {
  if (ids.length === 0) return new Map();
  const { role, kind, autoApprove, shortFields, movedTo } = channelSettings;
  const setting = ({ cat, k }: { cat: string; k: string }) =>
    sql<
      string | null
    >`(select v from config c where c.uid = channel.channel_id and c.cat = ${sql.lit(cat)} and c.k = ${sql.lit(k)})`;
  const rows = await compiled(hub, "details of accounts", { ids: [...ids] }, (slots) =>
    hub.db
      .selectFrom("xchan")
      .leftJoin("channel", (join) =>
        join.onRef("channel.channel_hash", "=", "xchan.xchan_hash").on("channel.channel_removed", "=", sql.lit(0)),
      )
      .leftJoin("actor", "actor.xchan_id", "xchan.xchan_id")
      .leftJoin("profile", (join) =>
        join.onRef("profile.uid", "=", "channel.channel_id").on("profile.is_default", "=", sql.lit(1)),
      )
      .select(["homepage", "locality", "region", "country_name", "actor.fields as foreign_fields"])
      .select(["xchan.xchan_id", "xchan_hidden", "xchan_censored", "xchan_deleted", "xchan_pubforum", "xchan_system"])
      .select([
        "channel_id",
        "channel_lastpost",
        "channel_moved",
        "actor_id",
        "type",
        "manually_approves",
        "moved_to",
        "last_post",
      ])
      .select([setting(role).as("role"), setting(kind).as("kind"), setting(autoApprove).as("approves")])
      .select([setting(shortFields).as("short"), setting(movedTo).as("goes_on")])
      .where(isOneOf(hub.engine, sql.ref("xchan.xchan_id"), slots.ids)),
  );
  return new Map(
    rows.map((row) => {
      const local = row.channel_id !== null;
      const ownRole = role.read(row.role ?? undefined);
      const approves = ownRole === "custom" ? autoApprove.read(row.approves ?? undefined) : roles[ownRole].autoApprove;
      return [
        row.xchan_id,
        {
          locked: local ? !approves : row.manually_approves === 1,
          bot: local
            ? kind.read(row.kind ?? undefined) === "service" || row.xchan_system === 1
            : programs.includes(row.type ?? ""),
          forum: row.xchan_pubforum === 1,
          hidden: row.xchan_hidden === 1,
          limited: row.xchan_censored === 1,
          suspended: row.xchan_deleted === 1,
          lastPost: row.channel_lastpost ?? row.last_post ?? "",
          movedTo: local ? movedFrom(row.channel_moved ?? "", row.goes_on ?? "") : (row.moved_to ?? ""),
          actorId: row.actor_id ?? "",
          fields:
            row.homepage === null
              ? foreignFields(row.foreign_fields)
              : fieldsOf(row as Parameters<typeof fieldsOf>[0], shortFields.read(row.short ?? undefined) ?? []),
        },
      ];
    }),
  );
}
