import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { ColumnName, RowOf } from "../../../storage/row-of.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import { hasFollowWish } from "../delivery/notification-targets.ts";
import { unwantedBy } from "../../connections/unwanted.ts";
import { channelSettings } from "../../identity/channels/channel-settings.ts";
import { permitsMark } from "../permits.ts";
import { pinMark } from "../pins.ts";
import { sharesPurely } from "../queries.ts";
import { aboutMark, quotersMark, unlisted } from "../save.ts";

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
  /** Who may quote it, as the post or its author's channel says (`quoters`), or its author's hub (`permits`). */
  quoters: string | null;
  permits: string | null;
  /** How many answers it has itself, seen or not, up to a bound. */
  answers: number;
  /** How many public posts quote it, up to a bound. */
  quotes: number;
  /** Of what it shares: is it there still, and is its author blocked by the observer (1), ignored (2), or not shown for another reason (3)? */
  shared_there: number;
  shared_unwanted: number;
  /** The copy that the observer has of the post that a private answer is about, or a public one. */
  about: number | null;
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
      .select(saidOfQuotes())
      .select(sql<number>`(select count(*) from (${answering}) as answering)`.as("answers"))
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

/** So many answers are counted. */
const mostAnswers = 5000;

const answering = sql`select 1 from item a where a.thr_parent_id = item.id and a.id <> item.id and a.item_normal = 1
  and a.item_notshown = 0 limit ${sql.lit(mostAnswers)}`;

/** So many quotations are counted. */
const mostQuotes = 500;

function saidOfQuotes() {
  const { cat, k } = channelSettings.quoters;
  const usual = sql`select c.v from channel ch join xchan x on x.xchan_hash = ch.channel_hash join config c on c.uid = ch.channel_id
    where x.xchan_id = item.author_id and c.cat = ${sql.lit(cat)} and c.k = ${sql.lit(k)}`;
  const quoting = sql`select 1 from message q join item i on i.message_id = q.id where q.shared_id = item.message_id
    and q.shared_id > 0 and not ${sharesPurely("q")} and i.item_wall = 1 and i.item_normal = 1 and i.item_private = 0
    limit ${sql.lit(mostQuotes)}`;
  return [
    sql<string | null>`coalesce((${valueOf(quotersMark)}), (${usual}))`.as("quoters"),
    sql<string | null>`(${valueOf(permitsMark)})`.as("permits"),
    sql<number>`(select count(*) from (${quoting}) as quoting)`.as("quotes"),
    yes(sql<SqlBool>`message.shared_id > 0 and exists (select 1 from item i where i.message_id = message.shared_id
      and i.item_deleted = 0)`).as("shared_there"),
  ] as const;
}

function valueOf({ cat, k }: { cat: string; k: string }): RawBuilder<string> {
  return sql<string>`select m.v from iconfig m where m.message_id = item.message_id and m.uid = 0
    and m.cat = ${sql.lit(cat)} and m.k = ${sql.lit(k)} limit 1`;
}

function doneBy(reader: Reader | undefined) {
  if (!reader) {
    const not = sql<number>`0`;
    const none = sql<string | null>`null`;
    return [
      not.as("starred"),
      not.as("silenced"),
      not.as("pinned"),
      none.as("choices"),
      not.as("shared_unwanted"),
      sql<number | null>`null`.as("about"),
    ] as const;
  }
  const { uid, me, hash } = reader;
  const own = sql`from item own where own.message_id = item.message_id and own.uid = ${uid}`;
  const parent = sql`coalesce((select own.parent ${own}), 0)`;
  const sharedBy = sql`(select s.author_id from message s where s.id = message.shared_id)`;
  const said = sql`select x.xchan_id from abook b join xchan x on x.xchan_hash = b.abook_xchan where b.abook_channel = ${uid}`;
  const about = sql`select i.id from message a join item i on i.message_id = a.id where a.mid = (${valueOf(aboutMark)})
    and i.item_normal = 1 and (i.uid = ${uid} or (i.item_wall = 1 and i.item_private = 0))
    order by case when i.uid = ${uid} then 0 else 1 end, i.id limit 1`;
  return [
    sql<number>`case when message.shared_id = 0 then 0 when ${sharedBy} in (${said} and b.abook_blocked = 1) then 1
      when ${sharedBy} in (${said} and b.abook_ignored = 1) then 2
      when ${sharedBy} in (${unwantedBy(uid)}) then 3 else 0 end`.as("shared_unwanted"),
    sql<number | null>`(${about})`.as("about"),
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

type Mark = { cat: string; k: string; v?: RawBuilder<string> | string };

function isMarked({ cat, k, v }: Mark): RawBuilder<number> {
  const value = typeof v === "object" ? sql` and m.v = ${v}` : sql``;
  return yes(sql<SqlBool>`exists (select 1 from iconfig m where m.message_id = item.message_id and m.uid = 0
    and m.cat = ${sql.lit(cat)} and m.k = ${sql.lit(k)}${value})`);
}
