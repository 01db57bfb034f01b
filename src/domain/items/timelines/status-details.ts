import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { ColumnName, RowOf } from "../../../storage/row-of.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import { hasFollowWish } from "../delivery/notification-targets.ts";
import { unwantedBy } from "../../connections/unwanted.ts";
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
export type StatusDetails = Details & Marks;

type Details = RowOf<typeof columns> & {
  /** What it is about, where that is a poll or an event. */
  obj: string;
  direct: number;
  starred: number;
  silenced: number;
  choices: string | null;
  /** How many answers a comment has itself, seen or not, up to a bound; those of a post are counted with its thread. */
  answers: number;
  /** How many public posts quote it, up to a bound. */
  quotes: number;
  /** Of what it shares: is it there still, and is its author blocked by the observer (1), ignored (2), or not shown for another reason (3)? */
  shared_there: number;
  shared_unwanted: number;
  /** Does it lead to a page that has a card, or shall have one? */
  linked: number;
  /** Has the observer filters in force, whatever they find? */
  filters: number;
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

const unmarked: Marks = { unlisted: false, pinned: false, quoters: undefined, permits: undefined, about: undefined };

type Asked = Pick<StatusItem, "id" | "shared_id">;

/** That of these items, by id, in a fixed number of queries. */
export async function loadStatusDetails(
  hub: Hub,
  observer: Observer,
  items: readonly Asked[],
): Promise<Map<number, StatusDetails>> {
  if (items.length === 0) return new Map();
  const rows = await loadRows(hub, observer, items);
  const abouts = rows.flatMap(({ k, v }) => (k === aboutMark.k && v !== null ? [v] : []));
  const copies = abouts.length > 0 ? await copiesOf(hub, observer, abouts) : new Map<string, number>();
  const details = new Map<number, StatusDetails>();
  for (const row of rows) {
    // What has several marks comes once for each.
    const known = details.get(row.id) ?? Object.assign(row, unmarked);
    details.set(row.id, known);
    if (row.k !== null && row.v !== null) mark(known, { k: row.k, v: row.v }, { copies, hash: observer.hash });
  }
  return details;
}

function mark(
  marks: Marks,
  { k, v }: { k: string; v: string },
  { copies, hash }: { copies: ReadonlyMap<string, number>; hash: string },
): void {
  if (k === unlisted.k) marks.unlisted ||= v === unlisted.v;
  else if (k === aboutMark.k) marks.about = copies.get(v);
  else if (k === quotersMark.k) marks.quoters = v;
  else if (k === permitsMark.k) marks.permits = v;
  else marks.pinned ||= v === hash;
}

function loadRows(hub: Hub, observer: Observer, items: readonly Asked[]) {
  const reader = observer.channelId > 0 && { uid: observer.channelId, me: observer.xchanId };
  const sharing = items.some((item) => item.shared_id > 0);
  const asked = { ids: items.map(({ id }) => id), ...reader };
  return compiled(hub, `details of statuses${sharing ? ", some of which share" : ""}`, asked, ({ ids, ...slots }) => {
    const by = slots.uid && slots.me ? { uid: slots.uid, me: slots.me } : undefined;
    return hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .leftJoin("iconfig as mark", (join) =>
        join.onRef("mark.message_id", "=", "item.message_id").on("mark.uid", "=", sql.lit(0)).on(isShownMark),
      )
      .select(columns)
      .select(["mark.k", "mark.v"])
      .select([shownObject, isDirect.as("direct"), isLinked])
      .select([quotes, answers])
      .select(saidOfShared(sharing, by))
      .select(doneBy(by))
      .where(isOneOf(hub.engine, sql.ref("item.id"), ids));
  });
}

/** Each by both of its names at once, or SQLite looks for every combination of them. */
const isShownMark = sql<SqlBool>`mark.cat || ' ' || mark.k in (${sql.join(
  [unlisted, pinMark(""), quotersMark, permitsMark, aboutMark].map(({ cat, k }) => sql.lit(`${cat} ${k}`)),
)})`;

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

/** Answers are for whom their thread is for; it is looked up for them alone. */
const isDirect = sql<number>`case when item.item_thread_top = 1 then item.item_direct
  else coalesce((select t.item_direct from item t where t.id = item.parent), 0) end`;

const isLinked = yes(
  sql<SqlBool>`exists (select 1 from message_link ml where ml.message_id = item.message_id limit 1 offset 0)`,
).as("linked");

type Reader = { uid: RawBuilder<number>; me: RawBuilder<number> };

/** So many answers are counted. */
const mostAnswers = 5000;

const answering = sql`select 1 from item a where a.thr_parent_id = item.id and a.id <> item.id and a.item_normal = 1
  and a.item_notshown = 0 limit ${sql.lit(mostAnswers)}`;
const answers = sql<number>`case when item.item_thread_top = 1 then 0
  else (select count(*) from (${answering}) as answering) end`.as("answers");

/** So many quotations are counted. */
const mostQuotes = 500;

const quoting = sql`select 1 from message q join item i on i.message_id = q.id where q.shared_id = item.message_id
  and q.shared_id > 0 and not ${sharesPurely("q")} and i.item_wall = 1 and i.item_normal = 1 and i.item_private = 0
  limit ${sql.lit(mostQuotes)}`;
const quotes = sql<number>`(select count(*) from (${quoting}) as quoting)`.as("quotes");

/** On most pages nothing is shared; PostgreSQL prepares at every run what it never comes to. */
function saidOfShared(sharing: boolean, reader: Reader | undefined) {
  const isThere = sql<SqlBool>`message.shared_id > 0 and exists (select 1 from item i where i.message_id = message.shared_id
    and i.item_deleted = 0)`;
  return [
    (sharing ? yes(isThere) : not).as("shared_there"),
    (sharing && reader ? unwantedOf(reader) : not).as("shared_unwanted"),
  ] as const;
}

function unwantedOf({ uid }: Reader): RawBuilder<number> {
  const sharedBy = sql`(select s.author_id from message s where s.id = message.shared_id)`;
  const said = sql`select x.xchan_id from abook b join xchan x on x.xchan_hash = b.abook_xchan where b.abook_channel = ${uid}`;
  return sql<number>`case when message.shared_id = 0 then 0 when ${sharedBy} in (${said} and b.abook_blocked = 1) then 1
    when ${sharedBy} in (${said} and b.abook_ignored = 1) then 2
    when ${sharedBy} in (${unwantedBy(uid)}) then 3 else 0 end`;
}

const not = sql<number>`0`;
const none = sql<string | null>`null`;

/** The observer's own copy is looked for where this is none, and votes where there is a poll. */
function doneBy(reader: Reader | undefined) {
  if (!reader) return [not.as("starred"), not.as("silenced"), none.as("choices"), not.as("filters")] as const;
  const { uid, me } = reader;
  const own = sql`from item own where own.message_id = item.message_id and own.uid = ${uid}`;
  const ofOwn = (column: "item_starred" | "parent") =>
    sql<number>`case when item.uid = ${uid} then ${sql.ref(`item.${column}`)}
      else coalesce((select ${sql.ref(`own.${column}`)} ${own}), 0) end`;
  return [
    ofOwn("item_starred").as("starred"),
    yes(hasFollowWish(ofOwn("parent"), me, "unfollow")).as("silenced"),
    sql<string | null>`case when message.obj_type = ${sql.lit(questionType)}
      then (select v.choices from poll_vote v where v.message_id = item.message_id and v.xchan_id = ${me}) end`.as(
      "choices",
    ),
    yes(sql<SqlBool>`exists (select 1 from filter f where f.uid = ${uid} and f.ended = 0)`).as("filters"),
  ] as const;
}

function yes(condition: RawBuilder<SqlBool>): RawBuilder<number> {
  return sql<number>`case when ${condition} then 1 else 0 end`;
}
