import { sql } from "kysely";
import type { RawBuilder, SelectQueryBuilder } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf, sqlDate } from "../../../storage/sql.ts";
import type { Tables } from "../../../storage/tables/index.ts";
import { unwantedBy } from "../../connections/unwanted.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { passesWords } from "../word-filters.ts";
import { sharesPurely } from "../queries.ts";
import { verbUri } from "../vocabulary.ts";

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
] as const;
export type Subject = (typeof subjects)[number];

/** A notice that applications know; `item` and `message`, or `mail`, are what it is about, 0 for people alone. */
export type Told = {
  id: number;
  subject: Subject;
  actor: number;
  item: number;
  message: number;
  /** Id of a direct message. */
  mail: number;
  created: string;
  /** The policy of its reader keeps it apart. */
  filtered: boolean;
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

/** A page, the newest first; nothing that the channel wants by other ways only. People whom it blocks or ignores tell it nothing. */
export async function pageOfTold(hub: Hub, channel: Channel, window: ToldWindow, filter: ToldFilter): Promise<Told[]> {
  const up = window.minId !== undefined;
  const above = window.minId ?? window.sinceId;
  let page = toldTo(hub, channel, filter);
  if (above !== undefined) page = page.where("notify.id", ">", above);
  if (window.maxId !== undefined) page = page.where("notify.id", "<", window.maxId);
  const rows = await page
    .orderBy("notify.id", up ? "asc" : "desc")
    .limit(window.count)
    .execute();
  return (up ? rows.toReversed() : rows).map(read);
}

/** One notice of the channel, if applications know it; of those that no list shows only where they are asked for. */
export async function findTold(
  hub: Hub,
  channel: Channel,
  id: number,
  which: Pick<ToldFilter, "anyWay" | "filtered"> = {},
): Promise<Told | undefined> {
  const row = await toldTo(hub, channel, which).where("notify.id", "=", id).executeTakeFirst();
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
  const all = toldTo(hub, channel, filter).limit(most);
  const some = after === undefined ? all.where("notify.seen", "=", 0) : all.where("notify.id", ">", after);
  return (await some.execute()).length;
}

type Row = Omit<Told, "subject" | "filtered"> & { subject: string; filtered: number };

function read(row: Row): Told {
  return {
    ...row,
    id: Number(row.id),
    item: Number(row.item),
    message: Number(row.message),
    subject: row.subject as Subject,
    filtered: row.filtered === 1,
  };
}

function toldTo(hub: Hub, { channel_id: uid, xchan_id: me }: Channel, filter: ToldFilter): ToldQuery {
  const subject = subjectFor(me);
  const isRepeat = sql`notify.kind = 'share' and item.author_id <> ${me} and ${sharesPurely()}`;
  const original = sql`(select min(o.id) from item o where o.message_id = message.shared_id and o.uid = ${uid})`;
  const about = sql<number>`coalesce(case when ${isRepeat} then ${original} else notify.item_id end, 0)`;
  let query = hub.db
    .selectFrom("notify")
    .innerJoin("xchan", "xchan.xchan_id", "notify.actor_id")
    .leftJoin("abook", (join) => join.onRef("abook_xchan", "=", "xchan.xchan_hash").on("abook_channel", "=", uid))
    .leftJoin("item", "item.id", "notify.item_id")
    .leftJoin("message", "message.id", "item.message_id")
    .select(["notify.id", "notify.actor_id as actor", "notify.mail_id as mail", "notify.created", "notify.filtered"])
    .select([
      subject.as("subject"),
      about.as("item"),
      sql<number>`coalesce(case when ${isRepeat} then message.shared_id else item.message_id end, 0)`.as("message"),
    ])
    .where("notify.uid", "=", uid)
    .where(sql<boolean>`notify.actor_id not in (${unwantedBy(uid)})`)
    .where(sql<boolean>`(item.id is null or ${passesWords(hub, uid, me, "notifications")})`)
    .where(sql<boolean>`${isOneOf(hub.engine, subject, filter.subjects ?? subjects)}`);
  if (filter.filtered) query = query.where(sql<boolean>`(notify.listed = 1 or notify.filtered = 1)`);
  else if (!filter.anyWay) query = query.where("notify.listed", "=", sql.lit(1));
  if (filter.ids) query = query.where(isOneOf(hub.engine, sql.ref("notify.id"), filter.ids));
  if (filter.actor !== undefined) query = query.where("notify.actor_id", "=", filter.actor);
  if (filter.item !== undefined) query = query.where(sql<boolean>`${about} = ${filter.item}`);
  if (filter.between) {
    const [from, to] = filter.between;
    query = query.where("notify.created", ">=", sqlDate(from)).where("notify.created", "<", sqlDate(to));
  }
  return query;
}

type ToldQuery = SelectQueryBuilder<
  Tables & { abook: Tables["abook"] | Record<keyof Tables["abook"], null> },
  "notify" | "xchan" | "abook" | "item" | "message",
  Row
>;

/** What a notice says to its reader; null where applications have no word for it. */
function subjectFor(me: number): RawBuilder<string> {
  const answersMe = sql`exists (select 1 from item p where p.id in (item.thr_parent_id, item.parent) and p.author_id = ${me})`;
  const like = verbUri("like");
  return sql<string>`(case notify.kind
    when 'mention' then 'mention'
    when 'wall' then 'mention'
    when 'post' then 'thread'
    when 'mail' then 'mention'
    when 'comment' then case when ${answersMe} then 'mention' else 'thread' end
    when 'reaction' then case when notify.verb = ${like} and item.author_id = ${me} then 'like' end
    when 'share' then case when item.author_id = ${me} or ${sharesPurely()} then 'share' else 'quote' end
    when 'request' then case when abook_pending = 1 then 'request' when follow_in = 'accepted' then 'follower' end
    when 'follower' then 'follower'
    when 'edit' then 'edit'
    when 'poll' then 'poll'
    when 'sign-up' then 'sign-up'
    when 'confirmed' then case when follow_in = 'accepted' then 'follower' end
  end)`;
}
