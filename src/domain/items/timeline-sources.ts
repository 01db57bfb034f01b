import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { bigLimit } from "../../storage/sql.ts";
import { visibleToChannel } from "../permissions/visible.ts";

/**
 * Statuses of a timeline come from up to two places: the reader's own copies, and the walls of those who have what the reader
 * has not. Each place is one or more branches that are ranges of an index in the order of their ids; a branch goes no further
 * back than the newest ones that the branches before it have found. So nothing is walked through that is not shown, save what
 * the conditions of a branch leave out.
 */

type Slot = RawBuilder<number>;

/** What a remembered timeline is asked with; `most` is how many of the newest the page and those before it hold. */
export type TimelineSlots = {
  uid: Slot;
  hash: RawBuilder<string>;
  count: Slot;
  skip: Slot;
  most: Slot;
  sinceId?: Slot;
  maxId?: Slot;
  conversationId?: Slot;
  author?: Slot;
};

export type Condition = RawBuilder<SqlBool>;

/** What makes a timeline; conditions are about `item`. */
export type Sources = {
  /** The reader's own copies. */
  own?: readonly Condition[];
  /** Copies on walls; `once`: of what the reader has no copy of. */
  walls?: { which: "public" | "public from here" | "all"; once: boolean; where: readonly Condition[] };
  /** Neither written nor owned by those whom the reader has blocked or ignores. */
  wanted: boolean;
  tops: boolean;
};

export const shown = sql<SqlBool>`item.item_normal = 1 and item.item_notshown = 0`;
const top = sql<SqlBool>`item.item_thread_top = 1`;

/** The ids of a page, newest first, as a query in parentheses. */
export function idsOf(hub: Hub, slots: TimelineSlots, sources: Sources): RawBuilder<unknown> {
  const branches = slots.conversationId
    ? [conversationBranch(hub, slots, slots.conversationId, sources)]
    : [...ownBranches(slots, sources), ...wallBranches(hub, slots, sources)];
  return merged(hub, slots, branches, sources.wanted);
}

/** Merges branches: each adds what is newer than the oldest that counts so far. */
export function merged(
  hub: Hub,
  slots: Pick<TimelineSlots, "uid" | "count" | "skip" | "most">,
  branches: readonly Condition[],
  wanted: boolean,
): RawBuilder<unknown> {
  const most = bigLimit(hub.engine, slots.most);
  const steps = branches.map((branch, n) => {
    const where = wanted ? sql`${branch} and ${isWanted}` : branch;
    const page = (bound: RawBuilder<unknown>) =>
      sql`select item.id as id from item where ${where}${bound} order by item.id desc limit ${most}`;
    if (n === 0) return sql`found0 as materialized (${page(sql``)})`;
    const before = sql.raw(`found${n - 1}`);
    return sql`${sql.raw(`found${n}`)} as materialized (select id from (select id from ${before}
      union all select id from (${page(sql` and item.id > ${oldestOf(before, slots.most)}`)}) as more) as both
      order by id desc limit ${most})`;
  });
  const all = wanted ? [unwantedBy(slots.uid), ...steps] : steps;
  return sql`(with ${sql.join(all)} select id from ${sql.raw(`found${branches.length - 1}`)} order by id desc
    limit ${bigLimit(hub.engine, slots.count)} offset ${bigLimit(hub.engine, slots.skip)})`;
}

/** Where a list of the newest ends once it is full; 0 before. */
export function oldestOf(found: RawBuilder<unknown>, most: Slot): RawBuilder<unknown> {
  return sql`(select case when count(*) < ${most} then 0 else min(id) end from ${found})`;
}

/** Those whom the channel has blocked or ignores, looked up once for all branches. */
export function unwantedBy(uid: Slot): RawBuilder<unknown> {
  return sql`unwanted as materialized (select x.xchan_id as id from abook a join xchan x on x.xchan_hash = a.abook_xchan
    where a.abook_channel = ${uid} and (a.abook_blocked = 1 or a.abook_ignored = 1))`;
}

export const isWanted = sql<SqlBool>`item.author_id not in (select id from unwanted) and item.owner_id not in (select id from unwanted)`;

/** Own copies: by author they are kept apart as tops and answers, so that either is found without the other. */
function ownBranches(slots: TimelineSlots, { own, wanted, tops }: Sources): Condition[] {
  if (!own) return [];
  const base = [sql<SqlBool>`item.uid = ${slots.uid}`, shown, ...bounds(slots), ...own];
  if (!slots.author) return [all(tops ? [...base, top] : base)];
  const by = writtenBy(slots.author, wanted);
  return (tops ? [1] : [1, 0]).map((kind) => all([...base, by, sql<SqlBool>`item.item_thread_top = ${sql.lit(kind)}`]));
}

function wallBranches(hub: Hub, slots: TimelineSlots, { walls, wanted, tops }: Sources): Condition[] {
  if (!walls) return [];
  const base = [shown, ...bounds(slots), ...(tops ? [top] : []), ...onWalls(hub, slots, walls)];
  if (slots.author) {
    const by = writtenBy(slots.author, wanted);
    const kinds = walls.which === "all" ? [0, 1] : [0];
    return kinds.map((kind) => all([by, sql<SqlBool>`item.item_private = ${sql.lit(kind)}`, ...base]));
  }
  const origins = walls.which === "public from here" ? [1] : [1, 0];
  return origins.map((origin) => all([sql<SqlBool>`item.item_origin = ${sql.lit(origin)}`, ...base]));
}

/** Of somebody who is not wanted nothing is read at all. */
function writtenBy(author: Slot, wanted: boolean): Condition {
  const by = sql<SqlBool>`item.author_id = ${author}`;
  return wanted ? sql<SqlBool>`${by} and ${author} not in (select id from unwanted)` : by;
}

/** What holds for every copy on a wall. */
function onWalls(hub: Hub, slots: TimelineSlots, { which, once, where }: NonNullable<Sources["walls"]>): Condition[] {
  const conditions = [sql<SqlBool>`item.item_wall = 1`];
  if (which !== "all") conditions.push(sql<SqlBool>`item.item_private = 0`);
  if (which === "public from here") conditions.push(sql<SqlBool>`item.item_origin = 1`);
  conditions.push(...where);
  if (once) conditions.push(notOwned(slots.uid));
  return [...conditions, shownOnce, visibleToChannel(hub, { hash: slots.hash, channelId: slots.uid })];
}

/** The reader has no copy of its own. */
export function notOwned(uid: Slot): Condition {
  return sql<SqlBool>`not exists (select 1 from item mine where mine.message_id = item.message_id
    and mine.uid = ${uid} and mine.item_normal = 1)`;
}

/** Forums show again what stands on another wall; that does not count. */
export const shownOnce = sql<SqlBool>`(item.item_uplink = 0 or not exists (select 1 from item first
  where first.message_id = item.message_id and first.item_wall = 1 and first.id < item.id and first.item_normal = 1))`;

/** One thread, named by any copy of its top: few rows, so the thread is read, whatever else is asked. */
function conversationBranch(hub: Hub, slots: TimelineSlots, conversation: Slot, sources: Sources): Condition {
  const places: Condition[] = [];
  if (sources.own) places.push(all([sql<SqlBool>`item.uid + 0 = ${slots.uid}`, ...sources.own]));
  if (sources.walls) places.push(all(onWalls(hub, slots, sources.walls)));
  const conditions = [
    sql<SqlBool>`item.parent in (select t.id from item t where (t.uid = ${slots.uid} or t.item_wall = 1)
      and t.message_id = (select n.message_id from item n where n.id = ${conversation}))`,
    shown,
    sql<SqlBool>`(${sql.join(places, sql` or `)})`,
    ...bounds(slots),
  ];
  if (slots.author) conditions.push(sql<SqlBool>`item.author_id + 0 = ${slots.author}`);
  return all(sources.tops ? [...conditions, top] : conditions);
}

export function bounds({ sinceId, maxId }: Pick<TimelineSlots, "sinceId" | "maxId">): Condition[] {
  const conditions: Condition[] = [];
  if (sinceId) conditions.push(sql<SqlBool>`item.id > ${sinceId}`);
  if (maxId) conditions.push(sql<SqlBool>`item.id <= ${maxId}`);
  return conditions;
}

/** All of them. */
export function all(conditions: readonly Condition[]): Condition {
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}
