import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import { missing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { contains, folded } from "../../../storage/sql.ts";
import type { ItemTable } from "../../../storage/tables/items.ts";
import { findGroup } from "../../groups/groups.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { bareTag } from "../../people/featured-tags.ts";
import { isArticle } from "../metadata.ts";
import { termKey } from "../save.ts";
import type { AnyQuery } from "../queries.ts";
import { no, yes } from "../queries.ts";
import type { StreamQuery } from "../types.ts";
import { passesWords } from "../word-filters.ts";
import { termTypes, verbs, verbUri } from "../vocabulary.ts";

/** Asks for everything; whoever wants less says so. */
export const unfiltered: StreamQuery = {
  start: 0,
  records: 0,
  order: "comment",
  nouveau: false,
  top: false,
  star: false,
  wall: false,
  conv: false,
  unseen: false,
  closestMin: 0,
  closestMax: 99,
  pages: false,
  itemType: 0,
  includeFollow: false,
  markSeen: false,
};

/** Adds the filters of native contract 6.3; undefined when they cannot match anything. Throws missing. */
export async function filterThreads<T>(
  hub: Hub,
  channel: Channel,
  query: StreamQuery,
  items: AnyQuery<T>,
): Promise<AnyQuery<T> | undefined> {
  let q = wantedThreads(hub, { uid: channel.channel_id, me: channel.xchan_id }, query, items);
  if (query.groupId !== undefined) {
    const group = await groupFilter(hub, channel, query.groupId);
    if (!group) return undefined;
    q = q.where(group);
  }
  if (query.connectionId !== undefined) q = q.where(byPerson(await connectionHash(hub, channel, query.connectionId)));
  if (query.xchan !== undefined) q = q.where(byPerson(query.xchan));
  if (query.closestMin > 0 || query.closestMax < 99) q = q.where(closeness(channel, query));
  return q;
}

/** Who reads: a channel and the identity that it is, or slots for them in a statement that serves all readers. */
type Reader = Record<"uid" | "me", number | RawBuilder<number>>;

/** Adds those of the filters for which nothing has to be looked up: all but group, connection, person and closeness. */
export function wantedThreads<T>(hub: Hub, reader: Reader, query: StreamQuery, items: AnyQuery<T>): AnyQuery<T> {
  let q = restrictKind(items.where("item.uid", "=", reader.uid), query, query.nouveau);
  const article = articleKind(query);
  if (article !== undefined) q = q.where("item.item_kind", ">", no).where("item.item_kind", "=", article);
  q = plainFilters(hub, reader, query, q);
  return asksForSomething(query) ? q : q.where(passesWords(hub, reader.uid, reader.me));
}

/** Whoever asks for a thread, or for what was put aside or is searched, gets it whatever its words are. */
function asksForSomething({ mid, itemId, star, file, search }: StreamQuery): boolean {
  return star || [mid, itemId, file, search].some((asked) => asked !== undefined);
}

const follows = [verbs.follow, verbs.unfollow];

/**
 * Which kinds of items the stream shows: conversations unless it was asked for others. `hidden`: what the channel said
 * about the notices of a thread is among them, if that was asked for.
 */
export function restrictKind<T>(q: AnyQuery<T>, query: StreamQuery, hidden: boolean): AnyQuery<T> {
  if (!query.includeFollow) return q.where(ofKind("item", query)).where("message.verb", "not in", follows);
  if (!hidden) return q.where(ofKind("item", query));
  return q.where((x) => x.or([ofKind("item", query), x.and([followItemsOnly, x("message.verb", "in", follows)])]));
}

const followItemsOnly = sql<SqlBool>`(item.item_hidden = 1 and item.item_notshown = 1 and item.item_deleted = 0)`;

/** Cards and articles begin conversations of their own (native contract 2.13): what is below them are ordinary answers. */
function articleKind({ pages, itemType }: StreamQuery): number | undefined {
  return !pages && itemType !== "*" && isArticle(itemType) ? itemType : undefined;
}

/** Is the item of the kind that was asked for, and nothing keeps it out of streams? */
function ofKind(table: "item" | "m", query: StreamQuery): RawBuilder<SqlBool> {
  const kind = query.pages ? 3 : articleKind(query) === undefined ? query.itemType : 0;
  const column = (name: keyof ItemTable) => sql.ref(`${table}.${name}`);
  if (kind === 0) return sql<SqlBool>`${column("item_normal")} = 1`;
  const clean = keptOut.map((flag) => sql`${column(flag)} = 0`);
  if (kind !== "*") clean.push(sql`${column("item_type")} = ${kind}`);
  return sql<SqlBool>`(${sql.join(clean, sql` and `)})`;
}

const keptOut = [
  "item_hidden",
  "item_deleted",
  "item_unpublished",
  "item_delayed",
  "item_pending_remove",
  "item_blocked",
] as const;

function plainFilters<T>(hub: Hub, reader: Reader, query: StreamQuery, items: AnyQuery<T>): AnyQuery<T> {
  let q = items;
  if (query.dbegin !== undefined) q = q.where("item.created", ">=", query.dbegin);
  if (query.dend !== undefined) q = q.where("item.created", "<=", query.dend);
  if (query.star) q = q.where("item.item_starred", "=", yes);
  if (query.wall) q = q.where("item.item_wall", "=", yes);
  if (query.mid !== undefined) q = q.where(ofThread(reader, query.mid));
  if (query.itemId !== undefined) q = q.where("item.parent", "=", query.itemId);
  if (query.verb !== undefined) q = q.where("message.verb", "=", verbUri(query.verb));
  const there = query.nouveau ? itself : sameThread;
  const exists = existsOf(query);
  if (query.sinceId !== undefined)
    q =
      query.nouveau || query.top
        ? q.where("item.id", ">", query.sinceId)
        : q.where(exists(sameThread, sql`m.id > ${query.sinceId}`));
  if (query.unseen) q = q.where(exists(there, sql`m.item_unseen = 1`));
  if (query.conv) q = q.where(exists(there, sql`(m.author_id = ${reader.me} or m.item_mentionsme = 1)`));
  if (query.category !== undefined) q = q.where(exists(there, tagged(reader, [termTypes.category], query.category)));
  if (query.file !== undefined) q = q.where(exists(there, tagged(reader, [termTypes.file], query.file)));
  const searched = query.search?.startsWith("#") === true;
  for (const tag of [query.tag, searched ? query.search : undefined].filter((tag) => tag !== undefined))
    q = q.where(exists(there, tagged(reader, [termTypes.hashtag, termTypes.communityTag], bareTag(tag))));
  if (query.search !== undefined && !searched) q = q.where(exists(there, mentioning(hub, query.search)));
  return q;
}

/** Where the filters look: anywhere in the thread, or for single items in the item itself. */
const sameThread = sql`m.parent = item.parent`;
const itself = sql`m.id = item.id`;

type Condition = ReturnType<typeof sql>;

/** Is there an item of the kind for which the condition holds? Inside, the item is `m`. */
function existsOf(query: StreamQuery) {
  const kind = ofKind("m", query);
  return (where: Condition, condition: Condition) =>
    sql<SqlBool>`exists (select 1 from item m where ${where} and ${kind} and ${condition})`;
}

function ofThread({ uid }: Reader, mid: string) {
  return sql<SqlBool>`item.parent in (select t.id from message b join item t on t.message_id = b.id
    where b.mid = ${mid} and t.uid = ${uid} and t.item_thread_top = 1)`;
}

function tagged({ uid }: Reader, types: number[], term: string): Condition {
  return sql`exists (select 1 from term t where t.message_id = m.message_id and t.ttype in (${sql.join(types)})
    and t.term_key = ${termKey(term)} and t.uid in (0, ${uid}))`;
}

function mentioning(hub: Hub, text: string): Condition {
  return sql`exists (select 1 from message b where b.id = m.message_id
    and ${contains(hub.engine, folded(hub.engine, sql.ref("b.body")), sql`${text.toLowerCase()}`)})`;
}

function byPerson(hash: string) {
  return sql<SqlBool>`exists (select 1 from xchan p where p.xchan_hash = ${hash} and p.xchan_id in (item.author_id, item.owner_id))`;
}

async function groupFilter(hub: Hub, channel: Channel, id: number) {
  const group = await findGroup(hub, channel.channel_id, { id });
  if (!group || group.deleted === 1) throw missing("Group");
  const member = await hub.db.selectFrom("pgrp_member").select("id").where("gid", "=", id).executeTakeFirst();
  if (!member) return undefined;
  return sql<SqlBool>`(exists (select 1 from pgrp_member g join xchan p on p.xchan_hash = g.xchan
      where g.gid = ${id} and p.xchan_id in (item.author_id, item.owner_id))
    or ${contains(hub.engine, sql.ref("item.allow_gid"), sql`${`<${group.hash}>`}`)})`;
}

async function connectionHash(hub: Hub, channel: Channel, abookId: number): Promise<string> {
  const row = await hub.db
    .selectFrom("abook")
    .select("abook_xchan")
    .where("abook_id", "=", abookId)
    .where("abook_channel", "=", channel.channel_id)
    .where("abook_blocked", "=", 0)
    .where("abook_unconnected", "=", 0)
    .executeTakeFirst();
  if (!row) throw missing("Connection");
  return row.abook_xchan;
}

/** Authors who are no connection count as farthest away. */
function closeness(channel: Channel, query: StreamQuery) {
  return sql<SqlBool>`coalesce((select c.abook_closeness from abook c join xchan p on p.xchan_hash = c.abook_xchan
    where c.abook_channel = ${channel.channel_id} and p.xchan_id = item.author_id), 99)
    between ${query.closestMin} and ${query.closestMax}`;
}
