import { sql } from "kysely";
import type { AliasedRawBuilder, RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { asFlag, isOneOf } from "../../../storage/sql.ts";
import type { ColumnName, RowOf } from "../../../storage/row-of.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import { silenced } from "../delivery/notification-targets.ts";
import { unwantedBy } from "../../connections/unwanted.ts";
import { permitsMark } from "../permits.ts";
import { questionType } from "../poll.ts";
import type { AnyQuery } from "../queries.ts";
import { aboutMark, quotersMark, unlisted } from "../save.ts";
import { objectTypes } from "../vocabulary.ts";
import { applicationColumns } from "../columns.ts";
import type { ApplicationItem } from "../columns.ts";
import type { Mark, StatusContext } from "./status-context.ts";

/** Of the columns of the tables. */
const detailColumns = [
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
export type StatusDetails = DetailRow & Marks & Shared;

/** As a statement answers it. */
export type DetailRow = RowOf<typeof detailColumns> & Further & { id: number };

type Further = {
  /** What it is about, where that is a poll or an event. */
  obj: string;
  direct: number;
  starred: number;
  silenced: number;
  choices: string | null;
  /** Has the observer filters in force, whatever they find? */
  filters: number;
};

/** A status that was found together with its details: nobody need look for them. */
export type DetailedItem = ApplicationItem & DetailRow;

/** Of what it shares: is it there still, and is its author blocked by the observer (1), ignored (2), or not shown for another reason (3)? */
type Shared = { shared_there: number; shared_unwanted: number };

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

type Asked = Pick<ApplicationItem, "id" | "message_id" | "shared_id">;

/**
 * That of these items, by id, in a fixed number of queries: those that came with their details are not asked for again. Their marks are
 * found meanwhile, with what else stands around them.
 */
export async function loadStatusDetails(
  hub: Hub,
  observer: Observer,
  items: readonly Asked[],
  around: Promise<Pick<StatusContext, "marks">>,
): Promise<Map<number, StatusDetails>> {
  if (items.length === 0) return new Map();
  const [others, shared, { marks }] = await Promise.all([
    loadRows(
      hub,
      observer,
      items.filter((item) => !isDetailed(item)),
    ),
    loadShared(
      hub,
      observer,
      items.filter((item) => item.shared_id > 0),
    ),
    around,
  ]);
  const rows = new Map([...items.filter(isDetailed), ...others].map((row) => [row.id, row]));
  const abouts = [...marks.values()].flatMap((all) => all.flatMap(([k, v]) => (k === aboutMark.k ? [v] : [])));
  const copies = abouts.length > 0 ? await copiesOf(hub, observer, abouts) : new Map<string, number>();
  return new Map(
    items.flatMap(({ id, message_id }) => {
      const row = rows.get(id);
      const said = marksOf(marks.get(message_id) ?? [], copies, observer.hash);
      return row ? [[id, detailsOf(row, said, shared.get(id) ?? nothingShared)] as const] : [];
    }),
  );
}

/** One by one: whole rows are as wide as their texts. */
function detailsOf(row: DetailRow, marks: Marks, shared: Shared): StatusDetails {
  return {
    id: row.id,
    allow_cid: row.allow_cid,
    allow_gid: row.allow_gid,
    deny_cid: row.deny_cid,
    deny_gid: row.deny_gid,
    public_policy: row.public_policy,
    mid: row.mid,
    edited: row.edited,
    revision: row.revision,
    obj_type: row.obj_type,
    item_consensus: row.item_consensus,
    item_nocomment: row.item_nocomment,
    comments_closed: row.comments_closed,
    obj: row.obj,
    direct: row.direct,
    starred: row.starred,
    silenced: row.silenced,
    choices: row.choices,
    filters: row.filters,
    unlisted: marks.unlisted,
    pinned: marks.pinned,
    quoters: marks.quoters,
    permits: marks.permits,
    about: marks.about,
    shared_there: shared.shared_there,
    shared_unwanted: shared.shared_unwanted,
  };
}

function isDetailed<Item extends Asked>(item: Item): item is Item & DetailRow {
  return "direct" in item;
}

function marksOf(said: readonly Mark[], copies: ReadonlyMap<string, number>, hash: string): Marks {
  const marks = { ...unmarked };
  for (const [k, v] of said) {
    if (k === unlisted.k) marks.unlisted ||= v === unlisted.v;
    else if (k === aboutMark.k) marks.about = copies.get(v);
    else if (k === quotersMark.k) marks.quoters = v;
    else if (k === permitsMark.k) marks.permits = v;
    else marks.pinned ||= v === hash;
  }
  return marks;
}

async function loadRows(hub: Hub, { channelId, xchanId }: Observer, items: readonly Asked[]): Promise<DetailRow[]> {
  if (items.length === 0) return [];
  const asked = { ids: items.map(({ id }) => id), ...(channelId > 0 && { uid: channelId, me: xchanId }) };
  return compiled(hub, "details of statuses", asked, ({ ids, uid, me }) =>
    hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .select("item.id")
      .select(detailColumns)
      .select(detailsFor(uid && me ? { uid, me } : undefined))
      .where(isOneOf(hub.engine, sql.ref("item.id"), ids)),
  );
}

/** Statuses together with their details, for a reader of this hub. */
export function selectDetailed(hub: Hub, reader: Reader): AnyQuery<DetailedItem> {
  return hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select(detailedColumns)
    .select(detailedFor(reader));
}

/** With `detailedFor` they make what a statement with items and their messages finds `DetailedItem`s. */
export const detailedColumns = [...applicationColumns, ...detailColumns] as const;

/** The texts of most rows are long: the source of those that share nothing stays where it is. */
export function detailedFor(reader: Reader): (DetailColumn | typeof sharing)[] {
  return [sharing, ...detailsFor(reader)];
}

const sharing = sql<string>`case when message.shared_id > 0 then message.body else '' end`.as("body");

/** The others, in a statement with items and their messages. */
function detailsFor(reader: Reader | undefined): DetailColumn[] {
  return [shownObject, isDirect.as("direct"), ...doneBy(reader)];
}

type DetailColumn = { [Name in keyof Further]: AliasedRawBuilder<Further[Name], Name> }[keyof Further];

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

/** Answers are for whom their thread is for; it is looked up for those alone that are not for everybody. */
const isDirect = sql<number>`case when item.item_thread_top = 1 then item.item_direct when item.item_private = 0 then 0
  else coalesce((select t.item_direct from item t where t.id = item.parent), 0) end`;

type Reader = { uid: RawBuilder<number>; me: RawBuilder<number> };

const nothingShared: Shared = { shared_there: 0, shared_unwanted: 0 };

/** On most pages nothing is shared. */
async function loadShared(
  hub: Hub,
  { channelId }: Observer,
  items: readonly Asked[],
): Promise<Map<number, Shared & { id: number }>> {
  if (items.length === 0) return new Map();
  const isThere = sql<SqlBool>`exists (select 1 from item i where i.message_id = message.shared_id and i.item_deleted = 0)`;
  const asked = { ids: items.map(({ id }) => id), ...(channelId > 0 && { uid: channelId }) };
  const rows = await compiled(hub, "what is said of what is shared", asked, ({ ids, uid }) =>
    hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .select(["item.id", asFlag(isThere).as("shared_there"), (uid ? unwantedOf(uid) : not).as("shared_unwanted")])
      .where(isOneOf(hub.engine, sql.ref("item.id"), ids)),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function unwantedOf(uid: RawBuilder<number>): RawBuilder<number> {
  const sharedBy = sql`(select s.author_id from message s where s.id = message.shared_id)`;
  const said = sql`select x.xchan_id from abook b join xchan x on x.xchan_hash = b.abook_xchan where b.abook_channel = ${uid}`;
  return sql<number>`case when ${sharedBy} in (${said} and b.abook_blocked = 1) then 1
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
    asFlag(sql<SqlBool>`${ofOwn("parent")} in (${silenced(uid, me)})`).as("silenced"),
    sql<string | null>`case when message.obj_type = ${sql.lit(questionType)}
      then (select v.choices from poll_vote v where v.message_id = item.message_id and v.xchan_id = ${me}) end`.as(
      "choices",
    ),
    asFlag(sql<SqlBool>`exists (select 1 from filter f where f.uid = ${uid} and f.ended = 0)`).as("filters"),
  ] as const;
}
