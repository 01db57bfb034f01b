import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { ColumnName, RowOf } from "../../../storage/row-of.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import { hasFollowWish } from "../delivery/notification-targets.ts";
import { pinMark } from "../pins.ts";
import { unlisted } from "../save.ts";

const columns = [
  "item.id",
  "item.allow_cid",
  "item.allow_gid",
  "item.deny_cid",
  "item.deny_gid",
  "item.public_policy",
  "message.mid",
  "message.edited",
  "message.revision",
  "message.obj_type",
  "message.obj",
  "message.item_consensus",
  "message.item_nocomment",
  "message.comments_closed",
] as const satisfies readonly ColumnName[];

/**
 * What applications show of a status besides what its item has: for everybody else the page is as narrow as before. What the
 * observer has done with it is nothing for nobody: `choices` are the names that they voted for, in JSON.
 */
export type StatusDetails = RowOf<typeof columns> & {
  unlisted: number;
  direct: number;
  starred: number;
  silenced: number;
  pinned: number;
  choices: string | null;
};

/** That of these items, by id, in one query. */
export async function loadStatusDetails(
  hub: Hub,
  observer: Observer,
  ids: readonly number[],
): Promise<Map<number, StatusDetails>> {
  if (ids.length === 0) return new Map();
  const reader = observer.channelId > 0 && { uid: observer.channelId, me: observer.xchanId, hash: observer.hash };
  const rows = await compiled(hub, "details of statuses", { ids: [...ids], ...reader }, ({ ids, ...slots }) =>
    hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .select(columns)
      .select([isMarked(unlisted).as("unlisted"), isDirect.as("direct")])
      .select(
        doneBy(slots.uid && slots.me && slots.hash ? { uid: slots.uid, me: slots.me, hash: slots.hash } : undefined),
      )
      .where(isOneOf(hub.engine, sql.ref("item.id"), ids)),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Answers are for whom their thread is for. */
const isDirect = sql<number>`coalesce((select t.item_direct from item t where t.id = item.parent), 0)`;

type Reader = { uid: RawBuilder<number>; me: RawBuilder<number>; hash: RawBuilder<string> };

function doneBy(reader: Reader | undefined) {
  if (!reader) {
    const not = sql<number>`0`;
    const none = sql<string | null>`null`;
    return [not.as("starred"), not.as("silenced"), not.as("pinned"), none.as("choices")] as const;
  }
  const { uid, me, hash } = reader;
  const own = sql`from item own where own.message_id = item.message_id and own.uid = ${uid}`;
  const parent = sql`coalesce((select own.parent ${own}), 0)`;
  return [
    yes(sql<SqlBool>`exists (select 1 ${own} and own.item_starred = 1)`).as("starred"),
    yes(hasFollowWish(parent, me, "unfollow")).as("silenced"),
    isMarked(pinMark(hash)).as("pinned"),
    sql<
      string | null
    >`(select v.choices from poll_vote v where v.message_id = item.message_id and v.xchan_id = ${me})`.as("choices"),
  ] as const;
}

function yes(condition: RawBuilder<SqlBool>): RawBuilder<number> {
  return sql<number>`case when ${condition} then 1 else 0 end`;
}

function isMarked({ cat, k, v }: { cat: string; k: string; v?: RawBuilder<string> | string }): RawBuilder<number> {
  const value = typeof v === "object" ? sql` and m.v = ${v}` : sql``;
  return yes(sql<SqlBool>`exists (select 1 from iconfig m where m.message_id = item.message_id and m.uid = 0
    and m.cat = ${sql.lit(cat)} and m.k = ${sql.lit(k)}${value})`);
}
