import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { bigLimit } from "../../../storage/sql.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { visibleToChannel } from "../../permissions/visible.ts";
import {
  beyondPages,
  bounds,
  idsOf,
  madeOnce,
  notOwned,
  oldestOf,
  pageOf,
  rowsOf,
  shown,
  notRepeatedByForum,
} from "./timeline-sources.ts";
import type { Branch, TimelineSlots } from "./timeline-sources.ts";
import { askPage, authorAsked } from "./timelines.ts";
import type { TimelineQuery } from "./timelines.ts";
import type { StatusItem } from "../columns.ts";
import { passesWords } from "../word-filters.ts";
import { selectStatuses } from "../queries.ts";
import { isFollowedBy } from "../../connections/follow-choices.ts";
import { unwantedBy } from "../../connections/unwanted.ts";
import type { ListReplies } from "../../groups/list-choices.ts";

/** Which answers of members are shown: all, or those that the channel has chosen for the list. */
type Replies = ListReplies | "all";

/**
 * What the members of a privacy group wrote, as far as the channel may see it and its filters let it pass. Members may be many and silent, so
 * neither the channel's stream nor all that they ever wrote is walked through: of each the newest one is looked up, and
 * only those are read further who have one among the newest of all.
 */
export async function listTimeline(
  hub: Hub,
  channel: Channel,
  groupId: number,
  query: TimelineQuery,
  replies: Replies = "all",
): Promise<StatusItem[]> {
  const author = await authorAsked(hub, channel, query, undefined);
  if (author === "nobody") return [];
  const tops = query.excludeReplies ?? false;
  const name = tops ? "list, tops" : `list, ${replies} answers`;
  const ids = (slots: Slots): RawBuilder<unknown> => {
    const shows = listShows(hub, slots, tops ? "all" : replies);
    if (!slots.author && !slots.conversationId && !slots.minId) return idsByMembers(hub, slots, tops, shows);
    const where = [sql<SqlBool>`item.author_id in (${membersOf(slots)})`, ...shows];
    return idsOf(hub, slots, { own: { where }, walls: { which: "all", once: true, where }, wanted: true, tops });
  };
  const more = { author, group: groupId };
  return askPage(hub, name, channel, query, more, ids, () => selectStatuses(hub));
}

/** So many posts of a member on walls are looked at, beyond a page and those before it. */
const mostBeyond = 100;

type Group = { uid: RawBuilder<number>; group: RawBuilder<number>; me: RawBuilder<number> };
type Slots = TimelineSlots & Group;

/** Conditions on what a member wrote: the list of the channel `uid`, whose own posts are those of `me`, shows it. */
export function listShows(hub: Hub, group: Group, replies: Replies): RawBuilder<SqlBool>[] {
  const { uid, me } = group;
  const passes = passesWords(hub, uid, me);
  if (replies === "all") return [passes];
  const answered = sql`(select p.author_id from item p where p.id = item.thr_parent_id)`;
  const isToOthers = {
    none: [],
    list: [sql`or ${answered} in (${membersOf(group)})`],
    followed: [sql`or ${isFollowedBy(uid, answered)}`],
  }[replies];
  const to = sql<SqlBool>`(item.item_thread_top = 1 or ${answered} in (item.author_id, ${me}) ${sql.join(isToOthers, sql` `)})`;
  // BitlBee ends at an own post in a list, and groups may hold the channel itself.
  return [passes, to, sql<SqlBool>`item.author_id <> ${me}`];
}

function membersOf({ uid, group }: Omit<Group, "me">): RawBuilder<unknown> {
  return sql`select x.xchan_id from pgrp_member g join xchan x on x.xchan_hash = g.xchan where g.gid = ${group} and g.uid = ${uid}`;
}

function idsByMembers(
  hub: Hub,
  slots: Slots,
  tops: boolean,
  shows: readonly RawBuilder<SqlBool>[],
): RawBuilder<unknown> {
  const most = bigLimit(hub.engine, slots.most);
  // A shelf is what one member has in one place: tops and answers, or public and private ones, are kept apart there.
  const own: Branch = {
    index: "item_by_author",
    range: [
      sql<SqlBool>`item.uid = ${slots.uid} and item.author_id = shelf.author and item.item_thread_top = shelf.kind`,
      shown,
      ...bounds(slots),
    ],
    filters: shows,
  };
  const walls: Branch = {
    index: tops ? "item_wall_author_tops" : "item_wall_author",
    range: [
      sql<SqlBool>`item.author_id = shelf.author and item.item_private = shelf.kind and item.item_wall = 1`,
      shown,
      ...(tops ? [sql<SqlBool>`item.item_thread_top = 1`] : []),
      ...bounds(slots),
    ],
    after: sql<SqlBool>`item.id > (select id from own_oldest)`,
    filters: [
      ...shows,
      notOwned(slots.uid),
      notRepeatedByForum,
      visibleToChannel(hub, { hash: slots.hash, channelId: slots.uid }),
    ],
    most: beyondPages(hub, slots, mostBeyond),
  };
  return sql`(with ${sql.join(madeOnce({ unwanted: unwantedBy(slots.uid) }))},
    people as materialized (select m.xchan_id as author from (${membersOf(slots)}) m where m.xchan_id not in (select id from unwanted)),
    ${newestOfShelves(hub, "own", tops ? [1] : [1, 0], own, most)},
    own_oldest as materialized (select ${oldestOf(sql`own_found`, slots.most)} as id),
    ${newestOfShelves(hub, "walls", [0, 1], walls, most)}
    select id from (select id from own_found union all select id from walls_found) as found
    order by id desc ${pageOf(hub, slots)})`;
}

/**
 * The newest `most` of all shelves of a place, as `<name>_found`. Nothing can be among them that is older than the `most`-th
 * of the newest ones of each shelf, or than the `most`-th of any single shelf.
 */
function newestOfShelves(
  hub: Hub,
  name: string,
  kinds: readonly number[],
  on: Branch,
  most: RawBuilder<number>,
): RawBuilder<unknown> {
  const part = (end: string) => sql.raw(`${name}_${end}`);
  const rows = rowsOf(hub, on, [], true);
  const one = (skip: RawBuilder<unknown>) => sql`(select item.id from ${rows} order by item.id desc limit 1${skip})`;
  const begin = sql`(select coalesce((select newest from ${part("newest")} where newest is not null
    order by newest desc limit 1 offset ${most} - 1), 0))`;
  return sql`${part("newest")} as materialized (select shelf.author, shelf.kind, ${one(sql``)} as newest
      from (select people.author, kinds.kind from people cross join (${kindsOf(kinds)}) as kinds) as shelf),
    ${part("active")} as materialized (select shelf.author, shelf.kind, coalesce(${one(sql` offset ${most} - 1`)}, 0) as nth
      from ${part("newest")} shelf where shelf.newest >= ${begin}),
    ${part("oldest_of_each")} as materialized (select max(id) as id from (select coalesce(max(nth), 0) as id from ${part("active")}
      union all select ${begin}) as ends),
    ${part("found")} as materialized (${newestOn(hub, part("active"), part("oldest_of_each"), on, most)})`;
}

/** PostgreSQL is kept from reading anything else than the shelves, one by one. */
function newestOn(
  hub: Hub,
  shelves: RawBuilder<unknown>,
  oldest: RawBuilder<unknown>,
  on: Branch,
  most: RawBuilder<number>,
): RawBuilder<unknown> {
  const from = sql<SqlBool>`item.id >= (select id from ${oldest})`;
  const rows = rowsOf(hub, on, [from], true);
  if (hub.engine === "postgres")
    return sql`select page.id from ${shelves} shelf cross join lateral (select item.id from ${rows} order by item.id desc limit ${most}) as page
      order by page.id desc limit ${most}`;
  return sql`select item.id as id from ${shelves} shelf cross join ${rows} order by item.id desc limit ${most}`;
}

function kindsOf(kinds: readonly number[]): RawBuilder<unknown> {
  return sql.join(
    kinds.map((kind) => sql`select ${sql.lit(kind)} as kind`),
    sql` union all `,
  );
}
