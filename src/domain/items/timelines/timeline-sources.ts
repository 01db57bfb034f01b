import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { bigLimit } from "../../../storage/sql.ts";
import { unwantedBy } from "../../connections/unwanted.ts";
import { siteUid } from "../../identity/channels/site-actor.ts";
import { unlisted } from "../save.ts";
import { visibleToChannel } from "../../permissions/visible.ts";

/**
 * Statuses of a timeline come from up to three places: the reader's own copies, the walls of those who have what the reader
 * has not, and the copies that the site keeps. Each place is one or more branches that are ranges of an index in the order of their ids; a branch goes no further
 * back than the newest ones that the branches before it have found. So nothing is walked through that is not shown, save what
 * the conditions of a branch leave out. What comes out stands in `timeline-sql.sqlite.sql` and `timeline-sql.postgres.sql`.
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
  /** With it a page goes upwards: it holds what comes right after. */
  minId?: Slot;
  conversationId?: Slot;
  author?: Slot;
};

export type Condition = RawBuilder<SqlBool>;

/** What makes a timeline; conditions are about `item`. */
export type Sources = {
  /** The reader's own copies; `index` serves those that are in `range`, where that narrows them. */
  own?: { index?: string; range?: readonly Condition[]; where?: readonly Condition[] };
  /** Copies on walls; `once`: of what the reader has no copy of. */
  walls?: { which: "public" | "public from here" | "all"; once: boolean; where?: readonly Condition[] };
  /** What is public elsewhere, by the copies that the site keeps of it: of what the reader has no copy of, and no wall. */
  known?: { where?: readonly Condition[] };
  /** Neither written nor owned by those whom the reader has blocked or ignores. */
  wanted: boolean;
  tops: boolean;
  /** Further queries that are made once for all rows, by the names that conditions read them by. */
  once?: Readonly<Record<string, RawBuilder<unknown>>>;
};

export const shown = sql<SqlBool>`item.item_normal = 1 and item.item_notshown = 0`;
const top = sql<SqlBool>`item.item_thread_top = 1`;
/** Not by somebody who hides, or whom the site does not show; what is public on this hub shows nobody of those. */
export const notHidden = sql<SqlBool>`(select a.xchan_hidden + a.xchan_censored from xchan a where a.xchan_id = item.author_id) = 0`;

/** Not kept out of the lists that everybody reads (federation contract 5). */
export const listed = sql<SqlBool>`not exists (select 1 from iconfig u where u.message_id = item.message_id and u.uid = 0
  and u.cat = ${sql.lit(unlisted.cat)} and u.k = ${sql.lit(unlisted.k)} and u.v = ${sql.lit(unlisted.v)})`;

/** Not by somebody of a hub that the site limits: their words are for those who follow them, who have copies. */
export const notLimited = sql<SqlBool>`(select a.xchan_censored from xchan a where a.xchan_id = item.author_id) = 0`;

/**
 * A range of an index, in the order of its ids, and what is looked at in each of its rows; where filters may leave out nearly
 * all, only the newest `most` rows are looked at.
 */
export type Branch = {
  index: string;
  range: readonly Condition[];
  filters: readonly Condition[];
  most?: RawBuilder<unknown>;
  /** Where the ids that are of any use begin. PostgreSQL guesses wrongly how many those are, so it finds the newest without it. */
  after?: Condition;
};

/**
 * So many posts of somebody on walls are looked at, beyond a page and those before it, for those that the reader may see and
 * has no copy of: for the rest may be private.
 */
const mostBeyond = 2000;

/** The ids of a page, newest first, as a query in parentheses. */
export function idsOf(hub: Hub, slots: TimelineSlots, sources: Sources): RawBuilder<unknown> {
  const branches = slots.conversationId
    ? [conversationBranch(hub, slots, slots.conversationId, sources)]
    : [...ownBranches(slots, sources), ...wallBranches(hub, slots, sources), ...knownBranches(hub, slots, sources)];
  const [only, ...others] = branches;
  return only && others.length === 0 ? single(hub, slots, only, sources) : merged(hub, slots, branches, sources);
}

function single(hub: Hub, slots: TimelineSlots, branch: Branch, sources: Sources): RawBuilder<unknown> {
  const parts = onceFor(slots, sources);
  const before = parts.length > 0 ? sql`with ${sql.join(parts)} ` : sql``;
  const rows = rowsOf(hub, branch, bounds(slots), sources.wanted, slots);
  return sql`(${before}select item.id as id from ${rows} order by item.id ${way(slots)} ${pageOf(hub, slots)})`;
}

/** The limit and the offset of the page that was asked for. */
export function pageOf({ engine }: Hub, { count, skip }: Pick<TimelineSlots, "count" | "skip">): RawBuilder<unknown> {
  return sql`limit ${bigLimit(engine, count)} offset ${bigLimit(engine, skip)}`;
}

/** Merges branches: each adds what is newer than the oldest that counts so far. */
function merged(hub: Hub, slots: TimelineSlots, branches: readonly Branch[], sources: Sources): RawBuilder<unknown> {
  const { wanted } = sources;
  const most = bigLimit(hub.engine, slots.most);
  const steps = branches.map((branch, n) => {
    const page = (rows: Branch) => sql`select item.id as id from ${rowsOf(hub, rows, bounds(slots), wanted, slots)}
      order by item.id ${way(slots)} limit ${most}`;
    if (n === 0) return sql`found0 as materialized (${page(branch)})`;
    const before = sql.raw(`found${n - 1}`);
    const after = slots.minId
      ? sql<SqlBool>`item.id < ${newestOf(before, slots.most)}`
      : sql<SqlBool>`item.id > ${oldestOf(before, slots.most)}`;
    const more = page({ ...branch, after });
    return sql`${sql.raw(`found${n}`)} as materialized (select id from (select id from ${before}
      union all select id from (${more}) as more) as found order by id ${way(slots)} limit ${most})`;
  });
  return sql`(with ${sql.join([...onceFor(slots, sources), ...steps])} select id from ${sql.raw(`found${branches.length - 1}`)} order by id ${way(slots)} ${pageOf(hub, slots)})`;
}

/**
 * `item where ...` of a branch, to come after `from`. SQLite is told the index. PostgreSQL finds it by itself, if it does not believe that the
 * filters leave nearly nothing: of a case it only knows that it may be true or not.
 */
export function rowsOf(
  hub: Hub,
  branch: Branch,
  range: readonly Condition[],
  wanted: boolean,
  slots: Pick<TimelineSlots, "minId"> = {},
): RawBuilder<unknown> {
  const filters = wanted ? [isWanted, ...branch.filters] : branch.filters;
  const checks = filters.length === 0 ? sql`` : sql` and case when ${all(filters)} then true else false end`;
  const told = hub.engine === "sqlite" ? sql.raw(` indexed by ${branch.index}`) : sql``;
  const rows = all([...branch.range, ...range]);
  const after = branch.after ? sql`${branch.after} and ` : sql``;
  if (branch.most === undefined) return sql`item${told} where ${after}${rows}${checks}`;
  const useful = hub.engine === "sqlite" ? after : sql``;
  const newest = sql`select item.id from item${told} where ${useful}${rows} order by item.id ${way(slots)} limit ${branch.most}`;
  if (slots.minId)
    return sql`item${told} where item.id <= (select max(id) from (${newest}) as newest) and ${after}${rows}${checks}`;
  // First, because SQLite takes the first of several lower bounds for the range of the index.
  return sql`item${told} where item.id >= (select min(id) from (${newest}) as newest) and ${after}${rows}${checks}`;
}

/** How many rows a page and those before it take, and some more. */
export function beyondPages({ engine }: Hub, { most }: TimelineSlots, more: number): RawBuilder<unknown> {
  return sql`${bigLimit(engine, most)} + ${sql.lit(more)}`;
}

/** Where a list of the newest ends once it is full; 0 before. */
export function oldestOf(found: RawBuilder<unknown>, most: Slot): RawBuilder<unknown> {
  return sql`(select case when count(*) < ${most} then 0 else min(id) end from ${found})`;
}

/** Where a list of those that come right after something ends once it is full; beyond everything before. */
function newestOf(found: RawBuilder<unknown>, most: Slot): RawBuilder<unknown> {
  return sql`(select case when count(*) < ${most} then ${sql.lit(Number.MAX_SAFE_INTEGER)} else max(id) end from ${found})`;
}

/** In which order the rows of a page are found; they are answered newest first. */
function way({ minId }: Pick<TimelineSlots, "minId">): RawBuilder<unknown> {
  return minId ? sql.raw("asc") : sql.raw("desc");
}

/** What is looked up once for all branches. */
function onceFor({ uid }: TimelineSlots, { wanted, once = {} }: Sources): RawBuilder<unknown>[] {
  return madeOnce({ ...(wanted && { unwanted: unwantedBy(uid) }), ...once });
}

/** These queries by their names, to come after `with`. */
export function madeOnce(queries: Readonly<Record<string, RawBuilder<unknown>>>): RawBuilder<unknown>[] {
  return Object.entries(queries).map(([name, query]) => sql`${sql.raw(name)} as materialized (${query})`);
}

const isWanted = sql<SqlBool>`item.author_id not in (select id from unwanted) and item.owner_id not in (select id from unwanted)`;

function ownBranches(slots: TimelineSlots, { own, wanted, tops }: Sources): Branch[] {
  if (!own) return [];
  const mine = [sql<SqlBool>`item.uid = ${slots.uid}`, shown, ...(own.range ?? [])];
  const filters = own.where ?? [];
  if (own.index && !slots.author)
    return [{ index: own.index, range: mine, filters: tops ? [top, ...filters] : filters }];
  return branchesOf(mine, filters, slots, { wanted, tops });
}

function knownBranches(hub: Hub, slots: TimelineSlots, { known, wanted, tops }: Sources): Branch[] {
  if (!known) return [];
  return branchesOf([sql<SqlBool>`item.uid = ${siteUid}`, shown], ofSite(hub, slots, known), slots, { wanted, tops });
}

/** Copies of one channel: by author they are kept apart as tops and answers, so that either is found without the other. */
function branchesOf(
  range: readonly Condition[],
  filters: readonly Condition[],
  { author }: Pick<TimelineSlots, "author">,
  { wanted, tops }: Pick<Sources, "wanted" | "tops">,
): Branch[] {
  if (author)
    return (tops ? [1] : [1, 0]).map((kind) => ({
      index: "item_by_author",
      range: [...range, ...writtenBy(author, wanted), sql<SqlBool>`item.item_thread_top = ${sql.lit(kind)}`],
      filters,
    }));
  return [{ index: tops ? "item_tops" : "item_timeline", range: tops ? [...range, top] : range, filters }];
}

/** What is looked at in each copy of the site. */
function ofSite(hub: Hub, { uid, hash }: TimelineSlots, { where = [] }: NonNullable<Sources["known"]>): Condition[] {
  return [...where, notOwned(uid), notInForum, visibleToChannel(hub, { hash, channelId: uid }, "none private")];
}

/** No forum of this hub has it on its wall. */
export const notInForum = sql<SqlBool>`not exists (select 1 from item forum where forum.message_id = item.message_id
  and forum.item_uplink = 1 and forum.item_wall = 1 and forum.item_normal = 1 limit 1 offset 0)`;

function wallBranches(hub: Hub, slots: TimelineSlots, { walls, wanted, tops }: Sources): Branch[] {
  if (!walls) return [];
  const range = [sql<SqlBool>`item.item_wall = 1`, shown, ...(tops ? [top] : [])];
  const author = slots.author;
  if (author)
    return (walls.which === "all" ? [0, 1] : [0]).map((kind) => ({
      index: tops ? "item_wall_author_tops" : "item_wall_author",
      range: [...range, ...writtenBy(author, wanted), sql<SqlBool>`item.item_private = ${sql.lit(kind)}`],
      filters: onWalls(hub, slots, walls, kind === 0 ? "none private" : "any"),
      most: beyondPages(hub, slots, mostBeyond),
    }));
  return (walls.which === "public from here" ? [1] : [1, 0]).map((origin) => ({
    index: tops ? "item_public_tops" : "item_public",
    range: [...range, sql<SqlBool>`item.item_private = 0 and item.item_origin = ${sql.lit(origin)}`],
    filters: onWalls(hub, slots, walls, "none private"),
  }));
}

/** Of somebody who is not wanted nothing is read at all. */
function writtenBy(author: Slot, wanted: boolean): Condition[] {
  const by = sql<SqlBool>`item.author_id = ${author}`;
  return wanted ? [by, sql<SqlBool>`${author} not in (select id from unwanted)`] : [by];
}

/** What is looked at in each copy on a wall. */
function onWalls(
  hub: Hub,
  slots: TimelineSlots,
  { which, once, where = [] }: NonNullable<Sources["walls"]>,
  rows: "any" | "none private",
): Condition[] {
  return [
    ...(which === "public from here" ? [sql<SqlBool>`item.item_origin = 1`] : []),
    ...where,
    ...(once ? [notOwned(slots.uid)] : []),
    notRepeatedByForum,
    visibleToChannel(hub, { hash: slots.hash, channelId: slots.uid }, rows),
  ];
}

/** The reader has no copy of its own. */
export function notOwned(uid: Slot): Condition {
  return sql<SqlBool>`not exists (select 1 from item mine where mine.message_id = item.message_id
    and mine.uid = ${uid} and mine.item_normal = 1 limit 1 offset 0)`;
}

/** Forums show again what stands on another wall; that does not count. */
export const notRepeatedByForum = sql<SqlBool>`(item.item_uplink = 0 or not exists (select 1 from item first
  where first.message_id = item.message_id and first.item_wall = 1 and first.id < item.id and first.item_normal = 1
  limit 1 offset 0))`;

/** One thread, named by any copy of its top: few rows, so the thread is read, whatever else is asked. */
function conversationBranch(
  hub: Hub,
  slots: TimelineSlots,
  conversation: Slot,
  { own, walls, known, tops }: Sources,
): Branch {
  const places: Condition[] = [];
  if (own) places.push(all([sql<SqlBool>`item.uid = ${slots.uid}`, ...(own.range ?? []), ...(own.where ?? [])]));
  if (walls) {
    const open = walls.which === "all" ? [] : [sql<SqlBool>`item.item_private = 0`];
    places.push(all([sql<SqlBool>`item.item_wall = 1`, ...open, ...onWalls(hub, slots, walls, "any")]));
  }
  if (known) places.push(all([sql<SqlBool>`item.uid = ${siteUid}`, ...ofSite(hub, slots, known)]));
  const others = known ? sql` or t.uid = ${siteUid}` : sql``;
  const range = [
    sql<SqlBool>`item.parent in (select t.id from item t where (t.uid = ${slots.uid} or t.item_wall = 1${others})
      and t.message_id = (select n.message_id from item n where n.id = ${conversation}))`,
    sql<SqlBool>`item.item_normal = 1`,
  ];
  const filters = [sql<SqlBool>`item.item_notshown = 0`, sql<SqlBool>`(${sql.join(places, sql` or `)})`];
  if (slots.author) filters.push(sql<SqlBool>`item.author_id = ${slots.author}`);
  return { index: "item_members", range, filters: tops ? [...filters, top] : filters };
}

/** The bounds of ids that a page was asked with. */
export function bounds({ sinceId, maxId, minId }: Pick<TimelineSlots, "sinceId" | "maxId" | "minId">): Condition[] {
  const conditions: Condition[] = [];
  if (minId) conditions.push(sql<SqlBool>`item.id > ${minId}`);
  if (sinceId) conditions.push(sql<SqlBool>`item.id > ${sinceId}`);
  if (maxId) conditions.push(sql<SqlBool>`item.id <= ${maxId}`);
  return conditions;
}

/** All of them. */
export function all(conditions: readonly Condition[]): Condition {
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}
