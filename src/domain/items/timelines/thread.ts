import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import { missing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { isNobody } from "../../identity/channels/observer.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import { rowsSeen, visibleTo } from "../../permissions/visible.ts";
import { assemblePage } from "../assemble.ts";
import { findOwnItem, findVisibleItem } from "../find.ts";
import type { ItemRef } from "../find.ts";
import { unwantedBy } from "../../connections/unwanted.ts";
import type { StatusItem } from "../columns.ts";
import { no, selectItems, selectStatuses, withoutUnwanted, yes } from "../queries.ts";
import type { ItemQuery } from "../queries.ts";
import { termKey } from "../save.ts";
import type { Item, ItemPage } from "../types.ts";
import { termTypes } from "../vocabulary.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { around, seenPart, windowed } from "./thread-window.ts";
import type { SeenPart, ThreadWindow } from "./thread-window.ts";
import { cutPage } from "../../../storage/key-page.ts";

/**
 * Everything about the thread of one of the channel's items, whatever its state: the top first, then the others by
 * date. Throws missing.
 */
export async function fullThread(hub: Hub, channel: Channel, ref: ItemRef): Promise<ItemPage> {
  const item = await findOwnItem(hub, channel.channel_id, ref);
  if (!item) throw missing("Item");
  const items = await selectItems(hub)
    .where("item.parent", "=", item.parent)
    .orderBy("item.item_thread_top", "desc")
    .orderBy("item.created")
    .orderBy("item.id")
    .execute();
  return assemblePage(hub, items, channel.channel_id);
}

/** A part of a thread, and the ids before and after which there is more of it. */
export type ThreadPart = Omit<SeenPart<Item>, "items"> & { items: Thread };

/**
 * A thread as its page shows it to the observer, by the copy that the observer may see: its top and the newest comments, or
 * those of a window, oldest first. When a comment is asked for that is older, they are those around it. Throws missing.
 */
export async function threadPart(
  hub: Hub,
  observer: Observer,
  ref: ItemRef,
  window: ThreadWindow = {},
): Promise<ThreadPart> {
  const item = await findVisibleItem(hub, observer, ref);
  const isWhole = window.before === undefined && window.after === undefined;
  const part = await (isWhole ? around(hub, item.parent, item.id) : windowed(hub, item.parent, window));
  const [top, ...comments] = await threadOfIds(hub, observer, item.parent, part.ids);
  const { items, ...more } = seenPart(part, comments);
  return { items: [top, ...items], ...more };
}

/** The same without what lies around it. */
export async function visibleThread(
  hub: Hub,
  observer: Observer,
  ref: ItemRef,
  window: ThreadWindow = {},
): Promise<Thread> {
  return (await threadPart(hub, observer, ref, window)).items;
}

/**
 * The top of an item's thread and its oldest comments as far as the observer may see them, by rising ids: at most so many. Those of
 * people whom the observer has blocked are left out, and of those whom they ignore, unless one of these wrote the item.
 */
export async function threadOf(
  hub: Hub,
  observer: Observer,
  { parent, author_id: author }: Pick<Item, "parent" | "author_id">,
  most: number,
): Promise<StatusItem[]> {
  const uid = observer.channelId;
  return rowsSeen(hub, observer, "oldest of thread", { parent, author, uid, most }, (given, seen) => {
    const thread = selectStatuses(hub)
      .where("item.parent", "=", given.parent)
      .where("item.item_normal", "=", yes)
      .where("item.item_notshown", "=", no)
      .where(seen)
      .orderBy("item.id")
      .limit(given.most);
    if (uid === 0) return thread;
    const wanted = sql<SqlBool>`(item.author_id = ${given.author} or item.author_id not in (${unwantedBy(given.uid)}))`;
    return withoutUnwanted(thread, given.uid, "only blocked").where(wanted);
  });
}

/** The first item and what answers it. */
export type Thread = [top: Item, ...answers: Item[]];

async function threadOfIds(hub: Hub, observer: Observer, top: number, ids: readonly number[]): Promise<Thread> {
  const thread = selectItems(hub)
    .where(isOneOf(hub.engine, sql.ref("item.id"), [top, ...ids]))
    .where("item.item_normal", "=", yes)
    .where("item.item_notshown", "=", no)
    .where(visibleTo(hub, observer));
  const [first, ...others] = await (
    observer.channelId > 0 ? withoutUnwanted(thread, observer.channelId, "only blocked") : thread
  )
    .orderBy("item.item_thread_top", "desc")
    .orderBy("item.created")
    .orderBy("item.id")
    .execute();
  // It may have gone since it was found.
  if (!first) throw missing("Item");
  return [first, ...others];
}

/** What a channel page may be narrowed to; dates in the stored form. */
export type WallFilter = { category?: string; tag?: string; since?: string; until?: string };

export type WallPage = { items: Item[]; next: number | undefined };

type Text = RawBuilder<string> | string;
/** The same with the keys of terms, as a statement has it. */
type Labels = { [Name in keyof WallFilter]-?: Text | undefined };
/** Where on whose wall, as a statement has it. */
type Place = { uid: RawBuilder<number> | number; before: RawBuilder<number> | number };

/** So many private threads of somebody's wall are looked at for those that the observer may see. */
const mostPrivate = 2000;

/**
 * Threads on a channel's wall that the observer may see, newest first; `before` is the last page's `next`. Public and private
 * ones are found apart, so that nobody waits for what others may see.
 */
export async function wall(
  hub: Hub,
  observer: Observer,
  channel: Pick<Channel, "channel_id">,
  query: WallFilter & { before?: number; count: number },
): Promise<WallPage> {
  const { before = Number.MAX_SAFE_INTEGER, since, until, category, tag, count } = query;
  const keys = { category: category ? termKey(category) : undefined, tag: tag ? termKey(tag) : undefined };
  const page = (kind: "public" | "own" | "private"): Promise<Item[]> =>
    rowsSeen(
      hub,
      observer,
      `wall, ${kind}`,
      { uid: channel.channel_id, before, since, until, ...keys, count: count + 1 },
      (given, seen) => {
        const range =
          kind === "public"
            ? onWall(hub, given, no)
            : onWall(hub, given, yes, kind === "own" ? undefined : oldestLookedAt(hub, given));
        return filtered(given, selectItems(hub).where(seen))
          .where(range)
          .orderBy("item.item_private", "desc")
          .orderBy("item.id", "desc")
          .limit(given.count);
      },
    );
  const isOwn = observer.channelId === channel.channel_id;
  const found = await Promise.all([page("public"), isNobody(observer) ? [] : page(isOwn ? "own" : "private")]);
  const newest = found.flat().toSorted((one, other) => other.id - one.id);
  const { page: items, next } = cutPage(newest, query.count, (row) => row.id);
  return { items, next };
}

/**
 * A range of one index. For PostgreSQL it is a comparison of pairs, because that engine would rather walk all items from the
 * newest on, where it believes that many of them are on this wall.
 */
function onWall(
  { engine }: Hub,
  { uid, before }: Place,
  kind: RawBuilder<unknown>,
  from: RawBuilder<unknown> = sql`0`,
): RawBuilder<SqlBool> {
  const range =
    engine === "postgres"
      ? sql`(item.item_private, item.id) < (${kind}, ${before}) and (item.item_private, item.id) >= (${kind}, ${from})`
      : sql`item.item_private = ${kind} and item.id < ${before} and item.id >= ${from}`;
  return sql<SqlBool>`(item.uid = ${uid} and item.item_wall = 1 and item.item_thread_top = 1 and item.item_normal = 1
    and ${range})`;
}

function oldestLookedAt(hub: Hub, place: Place): RawBuilder<unknown> {
  return sql`(select coalesce(min(id), 0) from (select item.id from item where ${onWall(hub, place, yes)}
    order by item.item_private desc, item.id desc limit ${sql.lit(mostPrivate)}) as newest)`;
}

function filtered({ since, until, category, tag }: Labels, items: ItemQuery): ItemQuery {
  let q = items;
  if (since !== undefined) q = q.where("item.created", ">=", since);
  if (until !== undefined) q = q.where("item.created", "<=", until);
  if (category !== undefined) q = q.where(labelled(termTypes.category, category));
  if (tag !== undefined) q = q.where(labelled(termTypes.hashtag, tag));
  return q;
}

function labelled(type: number, key: Text) {
  return sql<SqlBool>`exists (select 1 from term t where t.message_id = item.message_id and t.uid = 0
    and t.ttype = ${sql.lit(type)} and t.term_key = ${key})`;
}
