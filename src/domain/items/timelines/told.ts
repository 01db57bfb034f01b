import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { isOneOf, sqlDate, unseenByPlanner } from "../../../storage/sql.ts";
import { unwantedBy } from "../../connections/unwanted.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { hasScreen } from "../../identity/channels/screens.ts";
import type { NoticeKind } from "../../notifications/kinds.ts";
import { passesWords } from "../word-filters.ts";
import { sharesPurely } from "../queries.ts";
import { verbUri } from "../vocabulary.ts";
import { detailedColumns, detailedFor } from "./status-details.ts";
import type { DetailedItem } from "./status-details.ts";
import type { ApplicationItem } from "../columns.ts";

/** What applications tell of, by ids: notices by what they say to their reader, whatever made the hub store them (mastodon contract 11.14). */

/** A `thread` is a comment where the reader takes part, or a post of somebody of whose posts the reader wants to hear; `mention` is all that speaks to the reader. */
export const subjects = [
  "mention",
  "thread",
  "like",
  "share",
  "quote",
  "request",
  "follower",
  "edit",
  "poll",
  "sign-up",
  "report",
] as const;
export type Subject = (typeof subjects)[number];

/** A notice that applications know; `item` and `message`, `mail` or `report` are what it is about, 0 for people alone. */
export type Told = {
  id: number;
  subject: Subject;
  actor: number;
  item: number;
  message: number;
  /** Id of a direct message. */
  mail: number;
  report: number;
  created: string;
  /** The policy of its reader keeps it apart. */
  filtered: boolean;
  /** What it is about, where the reader's own row of that can be seen; pages bring it along. */
  post?: ApplicationItem | undefined;
};

/** Which notices: those of some subjects, of one person, of one group of alike ones. */
export type ToldFilter = {
  subjects?: readonly Subject[] | undefined;
  actor?: number | undefined;
  /** About this item, or about nothing but people. */
  item?: number | undefined;
  /** Told from the first moment on, and before the second. */
  between?: readonly [Date, Date] | undefined;
  /** Also what is told by other ways only. */
  anyWay?: boolean;
  /** Also what the policy of the reader keeps apart. */
  filtered?: boolean;
  /** Of these alone. */
  ids?: readonly number[];
};

/** Keys that bound a page; with `minId` it is that right above it. All are outside. */
export type ToldWindow = {
  count: number;
  maxId?: number | undefined;
  sinceId?: number | undefined;
  minId?: number | undefined;
};

/** A page, the newest first; nothing that the channel wants by other ways only. People whom it blocks or ignores tell it nothing, but for what they report. */
export async function pageOfTold(hub: Hub, channel: Channel, window: ToldWindow, filter: ToldFilter): Promise<Told[]> {
  const { count, minId, maxId: below, sinceId } = window;
  const up = minId !== undefined;
  const rows = await toldTo(hub, channel, filter, { above: minId ?? sinceId, below, count }, { up, withPosts: true });
  return (up ? rows.toReversed() : rows).map(read);
}

/** One notice of the channel, if applications know it; of those that no list shows only where they are asked for. */
export async function findTold(
  hub: Hub,
  channel: Channel,
  id: number,
  which: Pick<ToldFilter, "anyWay" | "filtered"> = {},
): Promise<Told | undefined> {
  const [row] = await toldTo(hub, channel, which, { id, count: 1 });
  return row && read(row);
}

/** The number of the newest notice of the channel, of any kind; 0 without any. */
export async function newestNotice(hub: Hub, uid: number): Promise<number> {
  const row = await hub.db
    .selectFrom("notify")
    .select("id")
    .where("uid", "=", uid)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? 0;
}

/** How many there are, up to `most`: those that come after a notice, or those that are not seen. */
export async function countTold(
  hub: Hub,
  channel: Channel,
  after: number | undefined,
  most: number,
  filter: ToldFilter,
): Promise<number> {
  const unseen = after === undefined;
  return (await toldTo(hub, channel, filter, { above: after, count: most }, { unseen })).length;
}

type Row = {
  notice: number;
  subject: string;
  actor: number;
  about: number;
  message: number;
  mail: number;
  report: number;
  told: string;
  kept_apart: number;
} & Partial<DetailedItem> & { shows_post?: number };

function read(row: Row): Told {
  return {
    id: Number(row.notice),
    subject: row.subject as Subject,
    actor: row.actor,
    item: Number(row.about),
    message: Number(row.message),
    mail: row.mail,
    report: row.report,
    created: row.told,
    filtered: row.kept_apart === 1,
    post: row.shows_post === 1 ? (row as DetailedItem) : undefined,
  };
}

type Bounds = { count: number; id?: number; above?: number | undefined; below?: number | undefined };

type Kind = { up?: boolean; unseen?: boolean; withPosts?: boolean };

/** The first ones within the bounds, from above, or from below with `up`. */
function toldTo(
  hub: Hub,
  channel: Channel,
  { subjects: wanted = subjects, actor, item, ids, between, anyWay, filtered }: ToldFilter,
  bounds: Bounds,
  { up = false, unseen = false, withPosts = false }: Kind = {},
): Promise<Row[]> {
  const { channel_id: uid, xchan_id: me } = channel;
  const [hasUnwanted, hasWords] = [hasScreen(channel, "people"), hasScreen(channel, "notifications")];
  const [from, before] = between ?? [];
  const moments = { from: from && sqlDate(from), before: before && sqlDate(before) };
  const all = wanted.length === subjects.length;
  const values = {
    uid,
    me,
    wanted: all ? undefined : [...wanted],
    actor,
    item,
    ids: ids && [...ids],
    ...moments,
    ...bounds,
  };
  const which = filtered ? "filtered too" : anyWay ? "any way" : "listed";
  const more = { unseen, "with posts": withPosts, "looking for people": hasUnwanted, "looking for words": hasWords };
  const named = Object.entries(more).flatMap(([part, is]) => (is ? [part] : []));
  const name = ["told", which, up ? "up" : "down", ...named].join(", ");
  return compiled(hub, name, values, (given) => {
    const { uid, me, ...slots } = unseenByPlanner(hub.engine, given, ["uid", "me", "above", "below"]);
    const subject = subjectFor(uid, me);
    const isRepeat = sql`notify.kind = 'share' and item.author_id <> ${me} and ${sharesPurely()}`;
    const original = sql`(select min(o.id) from item o where o.message_id = message.shared_id and o.uid = ${uid})`;
    const about = sql<number>`coalesce(case when ${isRepeat} then ${original} else notify.item_id end, 0)`;
    let query = hub.db
      .selectFrom("notify")
      .leftJoin("item", "item.id", "notify.item_id")
      .leftJoin("message", "message.id", "item.message_id")
      .select([
        "notify.id as notice",
        "notify.actor_id as actor",
        "notify.mail_id as mail",
        "notify.report_id as report",
      ])
      .select(["notify.created as told", "notify.filtered as kept_apart"])
      .select([
        subject.as("subject"),
        about.as("about"),
        sql<number>`coalesce(case when ${isRepeat} then message.shared_id else item.message_id end, 0)`.as("message"),
      ])
      .where("notify.uid", "=", uid)
      .where(slots.wanted ? isOneOf(hub.engine, subject, slots.wanted, "text") : isKnown(uid, me));
    if (hasUnwanted)
      query = query.where(sql<boolean>`(notify.actor_id not in (${unwantedBy(uid)}) or notify.kind = 'report')`);
    if (hasWords) query = query.where(sql<boolean>`(item.id is null or ${passesWords(hub, uid, me, "notifications")})`);
    if (filtered) query = query.where(sql<boolean>`(notify.listed = 1 or notify.filtered = 1)`);
    else if (!anyWay) query = query.where("notify.listed", "=", sql.lit(1));
    if (unseen) query = query.where("notify.seen", "=", sql.lit(0));
    if (slots.id) query = query.where("notify.id", "=", slots.id);
    if (slots.above) query = query.where("notify.id", ">", slots.above);
    if (slots.below) query = query.where("notify.id", "<", slots.below);
    if (slots.ids) query = query.where(isOneOf(hub.engine, sql.ref("notify.id"), slots.ids));
    if (slots.actor) query = query.where("notify.actor_id", "=", slots.actor);
    if (slots.item) query = query.where(sql<boolean>`${about} = ${slots.item}`);
    if (slots.from) query = query.where("notify.created", ">=", slots.from);
    if (slots.before) query = query.where("notify.created", "<", slots.before);
    const isSeen = sql<number>`case when ${isRepeat} then 0
      when item.uid = ${uid} and item.item_normal = 1 and item.item_notshown = 0 then 1 else 0 end`;
    return query
      .$if(withPosts, (told) =>
        told.select(isSeen.as("shows_post")).select(detailedColumns).select(detailedFor({ uid, me })),
      )
      .orderBy("notify.id", up ? "asc" : "desc")
      .limit(slots.count)
      .$castTo<Row>();
  });
}

function answersTo(me: RawBuilder<number>): RawBuilder<unknown> {
  return sql`exists (select 1 from item p where p.id in (item.thr_parent_id, item.parent) and p.author_id = ${me})`;
}

/** What notices of these kinds say, whoever reads them. */
const plainly: Partial<Record<NoticeKind, Subject>> = {
  mention: "mention",
  wall: "mention",
  post: "thread",
  mail: "mention",
  follower: "follower",
  edit: "edit",
  poll: "poll",
  "sign-up": "sign-up",
  report: "report",
};

/** A request that was answered tells of a follower; so does a yes of this hub. People of elsewhere who say yes follow, if they do, by a notice of its own. */
function connection(uid: RawBuilder<number>): RawBuilder<string> {
  return sql`(select case when notify.kind = 'request' and b.abook_pending = 1 then 'request'
    when b.follow_in = 'accepted' and (notify.kind = 'request' or b.follow_in_id = '') then 'follower' end
    from abook b where b.abook_channel = ${uid}
    and b.abook_xchan = (select x.xchan_hash from xchan x where x.xchan_id = notify.actor_id))`;
}

/** Of reactions applications know likes of what the reader wrote. */
function isLike(me: RawBuilder<number>): RawBuilder<boolean> {
  return sql`(notify.verb = ${verbUri("like")} and item.author_id = ${me})`;
}

/** What a notice says to its reader; null where applications have no word for it. */
function subjectFor(uid: RawBuilder<number>, me: RawBuilder<number>): RawBuilder<string> {
  const plain = Object.entries(plainly).map(([kind, says]) => sql`when ${sql.lit(kind)} then ${sql.lit(says)}`);
  return sql<string>`(case when notify.kind in ('request', 'confirmed') then ${connection(uid)} else case notify.kind
    when 'comment' then case when ${answersTo(me)} then 'mention' else 'thread' end
    when 'reaction' then case when ${isLike(me)} then 'like' end
    when 'share' then case when item.author_id = ${me} or ${sharesPurely()} then 'share' else 'quote' end
    ${sql.join(plain, sql` `)} end end)`;
}

/** Does it say anything? The same in short, since it is asked of each notice that is looked at. */
function isKnown(uid: RawBuilder<number>, me: RawBuilder<number>): RawBuilder<boolean> {
  const known = [...Object.keys(plainly), "comment", "share"].map((kind) => sql.lit(kind));
  return sql<boolean>`(notify.kind in (${sql.join(known)}) or (notify.kind = 'reaction' and ${isLike(me)})
    or (notify.kind in ('request', 'confirmed') and ${connection(uid)} is not null))`;
}
