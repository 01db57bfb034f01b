import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { remembered } from "../../storage/remembered.ts";
import { observerOf } from "../identity/channel.ts";
import type { Channel, Observer } from "../identity/channel.ts";
import { visibleTo } from "../permissions/visible.ts";
import { no, selectItems, selectStatuses, withoutUnwanted, yes } from "./queries.ts";
import type { AnyQuery, ItemQuery, StatusQuery } from "./queries.ts";
import { termKey } from "./save.ts";
import type { Item, StatusItem } from "./types.ts";
import { termTypes } from "./vocabulary.ts";

/** Paging of statuses, microblog contract 3.3: newest first, `maxId` inclusive. */
export type TimelineQuery = {
  count: number;
  page: number;
  sinceId?: number;
  maxId?: number;
  excludeReplies?: boolean;
  /** Only this thread, by the id of any copy of its top. */
  conversationId?: number;
  /** Only what this connection wrote. */
  contactId?: number;
};

/** Everything in the channel's stream, its own statuses included. */
export async function homeTimeline(hub: Hub, channel: Channel, query: TimelineQuery): Promise<StatusItem[]> {
  const name = query.excludeReplies ? "home timeline without replies" : "home timeline";
  return remembered(hub, name, boundsOf(channel, query), (slots) => {
    const mine = shown(selectStatuses(hub)).where("item.uid", "=", slots.uid);
    return paged(withoutUnwanted(mine, slots.uid, "ignored too"), slots, query.excludeReplies);
  });
}

/** What others wrote that mentions the channel or answers it. */
export async function mentionsTimeline(hub: Hub, channel: Channel, query: TimelineQuery): Promise<StatusItem[]> {
  const addressed = ownStatuses(hub, channel)
    .where((x) => x.or([x("item.item_mentionsme", "=", yes), x("item.answers_me", "=", yes)]))
    .where("item.author_id", "<>", channel.xchan_id);
  return page(channel, withoutUnwanted(addressed, channel.channel_id, "ignored too"), query);
}

/** What the channel has starred. */
export async function favorites(hub: Hub, channel: Channel, query: TimelineQuery): Promise<StatusItem[]> {
  return page(channel, ownStatuses(hub, channel).where("item.item_starred", "=", yes), query);
}

/** Public statuses made on this hub by people who do not hide; each by the copy on its owner's wall. */
export async function publicTimeline(hub: Hub, channel: Channel, query: TimelineQuery): Promise<StatusItem[]> {
  const statuses = shown(selectStatuses(hub))
    .where("item.item_wall", "=", yes)
    .where("item.item_origin", "=", yes)
    .where("item.item_private", "=", no)
    .where(await visibleTo(hub, observerOf(channel)))
    .where(sql<SqlBool>`(select a.xchan_hidden from xchan a where a.xchan_id = item.author_id) = 0`);
  return page(channel, withoutUnwanted(statuses, channel.channel_id, "ignored too"), query);
}

/** What one person wrote, as far as the observer may see it. */
export async function userTimeline(
  hub: Hub,
  channel: Channel,
  authorId: number,
  query: TimelineQuery,
): Promise<StatusItem[]> {
  const statuses = await statusesBy(hub, observerOf(channel), authorId);
  return page(channel, withoutUnwanted(statuses, channel.channel_id, "ignored too"), query);
}

/** The newest public status of a person that anybody may see, for user objects. */
export async function latestPublicStatus(hub: Hub, authorId: number): Promise<StatusItem | undefined> {
  const statuses = (await statusesBy(hub, undefined, authorId)).where("item.item_private", "=", no);
  return statuses.orderBy("item.id", "desc").limit(1).executeTakeFirst();
}

async function statusesBy(hub: Hub, observer: Observer, authorId: number): Promise<StatusQuery> {
  const statuses = shown(selectStatuses(hub))
    .where("item.author_id", "=", authorId)
    .where(await visibleTo(hub, observer));
  return onceEach(statuses, observer);
}

/** Direct answers to an item, as the copy's holder has them. */
export async function directAnswers(
  hub: Hub,
  channel: Channel,
  item: Pick<Item, "id" | "parent">,
  query: TimelineQuery,
): Promise<StatusItem[]> {
  const answers = shown(selectStatuses(hub))
    .where("item.thr_parent_id", "=", item.id)
    .where("item.id", "<>", item.id)
    .where(await visibleTo(hub, observerOf(channel)));
  return page(channel, withoutUnwanted(answers, channel.channel_id, "only blocked"), query);
}

/** The whole thread of an item, its top included, as the copy's holder has it. */
export async function wholeThread(
  hub: Hub,
  channel: Channel,
  item: Pick<Item, "id" | "parent">,
  query: TimelineQuery,
): Promise<StatusItem[]> {
  const thread = shown(selectStatuses(hub))
    .where("item.parent", "=", item.parent)
    .where(await visibleTo(hub, observerOf(channel)));
  return page(channel, withoutUnwanted(thread, channel.channel_id, "only blocked"), query);
}

/** A page by key: `before` is the last page's `next`. */
export type KeyPage = { before?: number | undefined; count: number };

/** Statuses with a hashtag, or a reader's tag, that the observer may see, each message once, newest first (native contract 8.1, `search?tag=`). */
export async function taggedStatuses(
  hub: Hub,
  observer: Observer,
  tag: string,
  page: KeyPage,
): Promise<{ items: Item[]; next: number | undefined }> {
  const statuses = onceEach(shown(selectItems(hub)), observer).where(await visibleTo(hub, observer))
    .where(sql<SqlBool>`item.message_id in (select t.message_id from term t
      where t.ttype in (${sql.lit(termTypes.hashtag)}, ${sql.lit(termTypes.communityTag)}) and t.term_key = ${termKey(tag)} and t.uid = 0)`);
  return byKey(withoutBlocked(statuses, observer), page);
}

/** Public threads that began on this hub, by people who do not hide, as anybody or the observer may see them; newest first. */
export async function publicThreads(
  hub: Hub,
  observer: Observer,
  page: KeyPage,
): Promise<{ items: Item[]; next: number | undefined }> {
  const threads = shown(selectItems(hub))
    .where("item.item_wall", "=", yes)
    .where("item.item_origin", "=", yes)
    .where("item.item_private", "=", no)
    .where("item.item_thread_top", "=", yes)
    .where(await visibleTo(hub, observer))
    .where(sql<SqlBool>`(select a.xchan_hidden from xchan a where a.xchan_id = item.author_id) = 0`);
  return byKey(withoutBlocked(threads, observer), page);
}

async function byKey(
  statuses: ItemQuery,
  { before, count }: KeyPage,
): Promise<{ items: Item[]; next: number | undefined }> {
  const query = before === undefined ? statuses : statuses.where("item.id", "<", before);
  const rows = await query
    .orderBy("item.id", "desc")
    .limit(count + 1)
    .execute();
  const items = rows.slice(0, count);
  return { items, next: rows.length > count ? items.at(-1)!.id : undefined };
}

function withoutBlocked(query: ItemQuery, observer: Observer): ItemQuery {
  return observer && observer.channelId > 0 ? withoutUnwanted(query, observer.channelId, "ignored too") : query;
}

/** Each message once: by the observer's own copy, else by the one on the owner's wall; forums show it again, which does not count. */
function onceEach<T>(query: AnyQuery<T>, observer: Observer): AnyQuery<T> {
  const me = observer?.channelId ?? 0;
  return query.where(sql<SqlBool>`(item.uid = ${me} or (item.item_wall = 1 and not exists
    (select 1 from item mine where mine.message_id = item.message_id and mine.uid = ${me} and mine.item_normal = 1)
    and (item.item_uplink = 0 or not exists (select 1 from item first where first.message_id = item.message_id
      and first.item_wall = 1 and first.id < item.id and first.item_normal = 1))))`);
}

function shown<T>(query: AnyQuery<T>): AnyQuery<T> {
  return query.where("item.item_normal", "=", yes).where("item.item_notshown", "=", no);
}

function ownStatuses(hub: Hub, channel: Channel): StatusQuery {
  return shown(selectStatuses(hub)).where("item.uid", "=", channel.channel_id);
}

function page(channel: Channel, items: StatusQuery, query: TimelineQuery): Promise<StatusItem[]> {
  return paged(items, boundsOf(channel, query), query.excludeReplies).execute();
}

type Bounds<Value> = {
  uid: Value;
  count: Value;
  skip: Value;
  sinceId?: Value | undefined;
  maxId?: Value | undefined;
  conversationId?: Value | undefined;
  contactId?: Value | undefined;
};

function boundsOf(channel: Channel, query: TimelineQuery): Bounds<number> {
  return {
    uid: channel.channel_id,
    count: query.count,
    skip: (query.page - 1) * query.count,
    sinceId: query.sinceId || undefined,
    maxId: query.maxId || undefined,
    conversationId: query.conversationId || undefined,
    contactId: query.contactId || undefined,
  };
}

/** The bounds are values, or the slots of a remembered statement. */
function paged(
  items: StatusQuery,
  bounds: Bounds<number> | Bounds<RawBuilder<number>>,
  excludeReplies = false,
): StatusQuery {
  let q = items;
  if (bounds.sinceId) q = q.where("item.id", ">", bounds.sinceId);
  if (bounds.maxId) q = q.where("item.id", "<=", bounds.maxId);
  if (excludeReplies) q = q.where("item.item_thread_top", "=", yes);
  if (bounds.conversationId)
    q = q.where(sql<SqlBool>`item.parent in (select t.id from item t
    where t.message_id = (select n.message_id from item n where n.id = ${bounds.conversationId}))`);
  if (bounds.contactId)
    q =
      q.where(sql<SqlBool>`item.author_id = (select x.xchan_id from abook c join xchan x on x.xchan_hash = c.abook_xchan
    where c.abook_id = ${bounds.contactId} and c.abook_channel = ${bounds.uid})`);
  return q.orderBy("item.id", "desc").limit(bounds.count).offset(bounds.skip);
}
