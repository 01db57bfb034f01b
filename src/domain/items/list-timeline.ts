import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { remembered } from "../../storage/remembered.ts";
import { bigLimit } from "../../storage/sql.ts";
import type { Channel } from "../identity/channel.ts";
import { visibleToChannel } from "../permissions/visible.ts";
import { all, bounds, idsOf, isWanted, notOwned, oldestOf, shown, shownOnce, unwantedBy } from "./timeline-sources.ts";
import type { Condition, TimelineSlots } from "./timeline-sources.ts";
import { authorAsked, placeOf, statusesAmong } from "./timelines.ts";
import type { TimelineQuery } from "./timelines.ts";
import type { StatusItem } from "./types.ts";

/**
 * What the members of a privacy group wrote, as far as the channel may see it (microblog contract 8.10). Members may be
 * many and silent, so neither the channel's stream nor all that they ever wrote is walked through: of each the newest one
 * is looked up, and only those are read further who have one among the newest of all.
 */
export async function listTimeline(
  hub: Hub,
  channel: Channel,
  groupId: number,
  query: TimelineQuery,
): Promise<StatusItem[]> {
  const author = await authorAsked(hub, channel, query, undefined);
  if (author === "nobody") return [];
  const tops = query.excludeReplies ?? false;
  const values = { ...placeOf(channel, query), author, group: groupId };
  return remembered(hub, tops ? "list, tops" : "list", values, (slots) => {
    const byMember = sql<SqlBool>`item.author_id in (${membersOf(slots)})`;
    const narrow = { own: [byMember], walls: { which: "all", once: true, where: [byMember] } } as const;
    const isNarrow = slots.author !== undefined || slots.conversationId !== undefined;
    return statusesAmong(
      hub,
      isNarrow ? idsOf(hub, slots, { ...narrow, wanted: true, tops }) : idsByMembers(hub, slots, tops),
    );
  });
}

type Slots = TimelineSlots & { group: RawBuilder<number> };

function membersOf({ uid, group }: Slots): RawBuilder<unknown> {
  return sql`select x.xchan_id from pgrp_member g join xchan x on x.xchan_hash = g.xchan where g.gid = ${group} and g.uid = ${uid}`;
}

function idsByMembers(hub: Hub, slots: Slots, tops: boolean): RawBuilder<unknown> {
  const most = bigLimit(hub.engine, slots.most);
  // A shelf is what one member has in one place: tops and answers, or public and private ones, are kept apart there.
  const own = all([
    sql<SqlBool>`item.uid = ${slots.uid} and item.author_id = shelf.author and item.item_thread_top = shelf.kind`,
    shown,
    ...bounds(slots),
    isWanted,
  ]);
  const walls = all([
    sql<SqlBool>`item.author_id = shelf.author and item.item_private = shelf.kind and item.item_wall = 1`,
    shown,
    ...(tops ? [sql<SqlBool>`item.item_thread_top = 1`] : []),
    ...bounds(slots),
    sql<SqlBool>`item.id > ${oldestOf(sql`own_found`, slots.most)}`,
    isWanted,
    notOwned(slots.uid),
    shownOnce,
    visibleToChannel(hub, { hash: slots.hash, channelId: slots.uid }),
  ]);
  const kinds = (some: readonly number[]) =>
    sql.join(
      some.map((kind) => sql`select ${sql.lit(kind)} as kind`),
      sql` union all `,
    );
  return sql`(with ${unwantedBy(slots.uid)},
    people as materialized (select m.xchan_id as author from (${membersOf(slots)}) m where m.xchan_id not in (select id from unwanted)),
    ${newestOfShelves(hub, "own", kinds(tops ? [1] : [1, 0]), own, most)},
    ${newestOfShelves(hub, "walls", kinds([0, 1]), walls, most)}
    select id from (select id from own_found union all select id from walls_found) as both
    order by id desc limit ${bigLimit(hub.engine, slots.count)} offset ${bigLimit(hub.engine, slots.skip)})`;
}

/**
 * The newest `most` of all shelves of a place, as `<name>_found`. Where the `most`-th of the newest ones of each shelf
 * begins, and where the `most`-th of any shelf begins, nothing older can be among them.
 */
function newestOfShelves(
  hub: Hub,
  name: string,
  kinds: RawBuilder<unknown>,
  on: Condition,
  most: RawBuilder<number>,
): RawBuilder<unknown> {
  const part = (end: string) => sql.raw(`${name}_${end}`);
  const one = (skip: RawBuilder<unknown>) =>
    sql`(select item.id from item where ${on} order by item.id desc limit 1${skip})`;
  const start = sql`coalesce((select newest from ${part("newest")} where newest is not null
    order by newest desc limit 1 offset ${most} - 1), 0)`;
  const bound = sql`(select coalesce(max(bound), 0) from ${part("active")})`;
  const page = sql`select item.id as id from item where ${on} and item.id >= ${bound} order by item.id desc limit ${most}`;
  const found =
    hub.engine === "postgres"
      ? sql`select page.id from ${part("active")} shelf cross join lateral (${page}) as page order by page.id desc limit ${most}`
      : sql`select item.id as id from ${part("active")} shelf cross join item where ${on} and item.id >= ${bound} order by item.id desc limit ${most}`;
  return sql`${part("newest")} as materialized (select shelf.author, shelf.kind, ${one(sql``)} as newest
      from (select people.author, kinds.kind from people cross join (${kinds}) as kinds) as shelf),
    ${part("active")} as materialized (select shelf.author, shelf.kind,
        ${hub.engine === "postgres" ? sql`greatest` : sql`max`}(begin.id, coalesce(${one(sql` offset ${most} - 1`)}, 0)) as bound
      from ${part("newest")} shelf cross join (select ${start} as id) as begin where shelf.newest >= begin.id),
    ${part("found")} as materialized (${found})`;
}
