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
import { questionType } from "../poll.ts";
import { pinMark } from "../pins.ts";
import { sharesPurely } from "../queries.ts";
import { aboutMark, quotersMark, unlisted } from "../save.ts";
import { objectTypes } from "../vocabulary.ts";
import type { StatusItem } from "../columns.ts";

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
  "message.item_consensus",
  "message.item_nocomment",
  "message.comments_closed",
] as const satisfies readonly ColumnName[];

/**
 * What applications show of a status besides what its item has: for everybody else the page is as narrow as before. What the
 * observer has done with it is nothing for nobody: `choices` are the names that they voted for, in JSON.
 */
export type StatusDetails = RowOf<typeof columns> &
  Marks & {
    /** What it is about, where that is a poll or an event. */
    obj: string;
    direct: number;
    starred: number;
    silenced: number;
    choices: string | null;
    /** Who may quote what does not say so itself, as its author's channel says. */
    usual_quoters: string | null;
    /** How many answers it has itself, seen or not, up to a bound. */
    answers: number;
    /** How many public posts quote it, up to a bound. */
    quotes: number;
    /** Of what it shares: is it there still, and is its author blocked by the observer (1), ignored (2), or not shown for another reason (3)? */
    shared_there: number;
    shared_unwanted: number;
  };

/** What a message is marked with. */
type Marks = {
  unlisted: boolean;
  /** By its author. */
  pinned: boolean;
  /** Who may quote it, as the post says, or its author's hub (`permits`). */
  quoters: string | undefined;
  permits: string | undefined;
  /** The copy that the observer has of the post that a private answer is about, or a public one. */
  about: number | undefined;
};

/** That of these items, by id, in a fixed number of queries. */
export async function loadStatusDetails(
  hub: Hub,
  observer: Observer,
  items: readonly Pick<StatusItem, "id" | "message_id">[],
): Promise<Map<number, StatusDetails>> {
  if (items.length === 0) return new Map();
  const [rows, marks] = await Promise.all([
    loadRows(
      hub,
      observer,
      items.map(({ id }) => id),
    ),
    loadMarks(
      hub,
      observer,
      items.map(({ message_id }) => message_id),
    ),
  ]);
  const messages = new Map(items.map(({ id, message_id }) => [id, message_id]));
  return new Map(rows.map((row) => [row.id, { ...row, ...(marks.get(messages.get(row.id)!) ?? unmarked) }]));
}

function loadRows(hub: Hub, observer: Observer, ids: number[]) {
  const reader = observer.channelId > 0 && { uid: observer.channelId, me: observer.xchanId };
  return compiled(hub, "details of statuses", { ids, ...reader }, ({ ids, ...slots }) =>
    hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .select(columns)
      .select([shownObject, isDirect.as("direct")])
      .select(saidOfQuotes())
      .select(sql<number>`(select count(*) from (${answering}) as answering)`.as("answers"))
      .select(doneBy(slots.uid && slots.me ? { uid: slots.uid, me: slots.me } : undefined))
      .where(isOneOf(hub.engine, sql.ref("item.id"), ids)),
  );
}

const unmarked: Marks = { unlisted: false, pinned: false, quoters: undefined, permits: undefined, about: undefined };

/** By message; of nearly all there is nothing. */
async function loadMarks(hub: Hub, observer: Observer, messages: number[]): Promise<Map<number, Marks>> {
  const marks = [unlisted, pinMark(""), quotersMark, permitsMark, aboutMark];
  const oneOf = (names: readonly string[]) => [...new Set(names)].map((name) => sql.lit(name));
  const rows = await compiled(hub, "marks of statuses", { messages }, (slots) =>
    hub.db
      .selectFrom("iconfig")
      .select(["message_id", "k", "v"])
      .where(isOneOf(hub.engine, sql.ref("message_id"), slots.messages))
      .where("uid", "=", sql.lit(0))
      .where("cat", "in", oneOf(marks.map(({ cat }) => cat)))
      .where("k", "in", oneOf(marks.map(({ k }) => k))),
  );
  if (rows.length === 0) return new Map();
  const abouts = rows.filter(({ k }) => k === aboutMark.k).map(({ v }) => v);
  const copies = abouts.length > 0 ? await copiesOf(hub, observer, abouts) : new Map<string, number>();
  const said = new Map<number, Marks>();
  for (const { message_id, k, v } of rows) {
    const known = said.get(message_id) ?? { ...unmarked };
    said.set(message_id, known);
    if (k === unlisted.k) known.unlisted ||= v === unlisted.v;
    else if (k === aboutMark.k) known.about = copies.get(v);
    else if (k === quotersMark.k) known.quoters = v;
    else if (k === permitsMark.k) known.permits = v;
    else known.pinned ||= v === observer.hash;
  }
  return said;
}

/** The observer's own copies of these messages, else public ones on walls, by mid. */
async function copiesOf(hub: Hub, { channelId: uid }: Observer, mids: string[]): Promise<Map<string, number>> {
  const rows = await hub.db
    .selectFrom("message")
    .innerJoin("item", "item.message_id", "message.id")
    .select(["message.mid", "item.id"])
    .where(isOneOf(hub.engine, sql.ref("message.mid"), mids))
    .where("item.item_normal", "=", sql.lit(1))
    .where((x) => x.or([x("item.uid", "=", uid), x.and([x("item.item_wall", "=", 1), x("item.item_private", "=", 0)])]))
    // The last one counts.
    .orderBy(sql`case when item.uid = ${uid} then 1 else 0 end`)
    .orderBy("item.id", "desc")
    .execute();
  return new Map(rows.map(({ mid, id }) => [mid, id]));
}

/** The objects of all others are long, and not shown. */
const shownObject = sql<string>`case when message.obj_type in (${sql.lit(objectTypes.event)}, ${sql.lit(questionType)})
  then message.obj else '' end`.as("obj");

/** Answers are for whom their thread is for. */
const isDirect = sql<number>`coalesce((select t.item_direct from item t where t.id = item.parent), 0)`;

type Reader = { uid: RawBuilder<number>; me: RawBuilder<number> };

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
    sql<string | null>`(${usual})`.as("usual_quoters"),
    sql<number>`(select count(*) from (${quoting}) as quoting)`.as("quotes"),
    yes(sql<SqlBool>`message.shared_id > 0 and exists (select 1 from item i where i.message_id = message.shared_id
      and i.item_deleted = 0)`).as("shared_there"),
  ] as const;
}

function doneBy(reader: Reader | undefined) {
  if (!reader) {
    const not = sql<number>`0`;
    const none = sql<string | null>`null`;
    return [not.as("starred"), not.as("silenced"), none.as("choices"), not.as("shared_unwanted")] as const;
  }
  const { uid, me } = reader;
  const own = sql`from item own where own.message_id = item.message_id and own.uid = ${uid}`;
  const parent = sql`coalesce((select own.parent ${own}), 0)`;
  const sharedBy = sql`(select s.author_id from message s where s.id = message.shared_id)`;
  const said = sql`select x.xchan_id from abook b join xchan x on x.xchan_hash = b.abook_xchan where b.abook_channel = ${uid}`;
  return [
    sql<number>`case when message.shared_id = 0 then 0 when ${sharedBy} in (${said} and b.abook_blocked = 1) then 1
      when ${sharedBy} in (${said} and b.abook_ignored = 1) then 2
      when ${sharedBy} in (${unwantedBy(uid)}) then 3 else 0 end`.as("shared_unwanted"),
    yes(sql<SqlBool>`exists (select 1 ${own} and own.item_starred = 1)`).as("starred"),
    yes(hasFollowWish(parent, me, "unfollow")).as("silenced"),
    sql<
      string | null
    >`(select v.choices from poll_vote v where v.message_id = item.message_id and v.xchan_id = ${me})`.as("choices"),
  ] as const;
}

function yes(condition: RawBuilder<SqlBool>): RawBuilder<number> {
  return sql<number>`case when ${condition} then 1 else 0 end`;
}
