import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { unwantedBy } from "../../connections/unwanted.ts";
import { parseList } from "../../groups/lists.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findXchansByHash } from "../../identity/xchans/xchans.ts";
import { emitToChannels } from "../../live/emit.ts";
import type { StatusItem } from "../columns.ts";
import { selectStatuses } from "../queries.ts";
import { termTypes } from "../vocabulary.ts";

/** What was said last in a thread, whether anything in it is unread, and the ids of those who take part, the last to speak first. */
export type LastOfThread = { item: StatusItem; unseen: boolean; people: number[] };

/** Of the channel's direct threads with these tops, what was said last, by whom, and to whom. */
export async function lastOfThreads(
  hub: Hub,
  channel: Pick<Channel, "channel_id">,
  tops: readonly number[],
): Promise<Map<number, LastOfThread>> {
  if (tops.length === 0) return new Map();
  const said = await authorsIn(hub, channel, tops);
  const newest = [...Map.groupBy(said, ({ parent }) => parent).values()].map((some) =>
    Math.max(...some.map(({ last }) => last)),
  );
  const [items, named] = await Promise.all([
    selectStatuses(hub)
      .where(isOneOf(hub.engine, sql.ref("item.id"), newest))
      .execute(),
    namedIn(hub, tops),
  ]);
  return new Map(
    items.map((item) => {
      const authors = said
        .filter(({ parent }) => parent === item.parent)
        .toSorted((one, other) => other.last - one.last);
      const people = [...authors.map(({ author }) => author), ...(named.get(item.parent) ?? [])];
      return [item.parent, { unseen: authors.some(({ unseen }) => unseen === 1), people, item }];
    }),
  );
}

/** So many direct threads are looked at for those that are unread: the ones in which something was said last. */
const mostCounted = 50;

/** In how many of the channel's newest direct threads there is something unread by people whom it wants to hear: a number in a query. */
export function unseenThreads(uid: number | RawBuilder<number>): RawBuilder<number> {
  const newest = sql`select id from item where uid = ${uid} and item_direct = 1 and item_normal = 1
    and author_id not in (${unwantedBy(uid)}) order by commented desc, id desc limit ${sql.lit(mostCounted)}`;
  return sql<number>`(select count(*) from (${newest}) as newest
    where exists (select 1 from item said where said.parent = newest.id and said.item_unseen = 1
      and said.item_private = 1 and said.item_normal = 1 and said.item_notshown = 0
      and said.author_id not in (${unwantedBy(uid)})))`;
}

/** Who has said something in these threads, and when last. */
async function authorsIn(hub: Hub, { channel_id: uid }: Pick<Channel, "channel_id">, tops: readonly number[]) {
  const rows = await hub.db
    .selectFrom("item")
    .select(["parent", "author_id as author"])
    .select((x) => [x.fn.max<number>("id").as("last"), x.fn.max<number>("item_unseen").as("unseen")])
    .where(isOneOf(hub.engine, sql.ref("parent"), tops))
    .where("item_normal", "=", sql.lit(1))
    .where("item_notshown", "=", sql.lit(0))
    .where(sql<SqlBool>`author_id not in (${unwantedBy(uid)})`)
    .groupBy(["parent", "author_id"])
    .execute();
  return rows.map((row) => ({
    parent: row.parent,
    author: row.author,
    last: Number(row.last),
    unseen: Number(row.unseen),
  }));
}

/** Whom the tops name, and for whom they are as far as their author's own copies say it. */
async function namedIn(hub: Hub, tops: readonly number[]): Promise<Map<number, number[]>> {
  const mentioned = hub.db
    .selectFrom("item")
    .innerJoin("term", "term.message_id", "item.message_id")
    .innerJoin("xchan", "xchan.xchan_url", "term.url")
    .select(["item.id as top", "xchan.xchan_id as person"])
    .where(isOneOf(hub.engine, sql.ref("item.id"), tops))
    .where("term.uid", "=", sql.lit(0))
    .where("term.ttype", "=", sql.lit(termTypes.mention))
    .where("xchan.xchan_deleted", "=", sql.lit(0))
    .where("xchan.xchan_hearsay", "=", sql.lit(0))
    .orderBy("term.tid");
  const lists = hub.db
    .selectFrom("item")
    .select(["id", "allow_cid"])
    .where(isOneOf(hub.engine, sql.ref("id"), tops))
    .where("allow_cid", "<>", "");
  const [rows, owned] = await Promise.all([mentioned.execute(), lists.execute()]);
  const hashes = new Map(owned.map(({ id, allow_cid }) => [id, parseList(allow_cid)]));
  const people = await findXchansByHash(hub, [...new Set([...hashes.values()].flat())]);
  const byHash = new Map(people.map((xchan) => [xchan.xchan_hash, xchan.xchan_id]));
  return new Map(
    tops.map((top) => [
      top,
      [
        ...rows.filter((row) => row.top === top).map(({ person }) => person),
        ...(hashes.get(top) ?? []).flatMap((hash) => byHash.get(hash) ?? []),
      ],
    ]),
  );
}

/** Marks all of a thread of the channel's own copies as read, by the id of its top, or what others said last as unread. */
export async function setThreadSeen(
  hub: Hub,
  { channel_id: uid, xchan_id: me }: Pick<Channel, "channel_id" | "xchan_id">,
  top: number,
  seen: boolean,
): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const ofThread = hub.db
      .selectFrom("item")
      .select("id")
      .where("parent", "=", top)
      .where("uid", "=", uid)
      .where("item_normal", "=", 1)
      .where("item_notshown", "=", 0);
    const some = seen
      ? ofThread.where("item_unseen", "=", 1)
      : ofThread.where("author_id", "<>", me).orderBy("id", "desc").limit(1);
    await hub.db
      .updateTable("item")
      .set({ item_unseen: seen ? 0 : 1 })
      .where("id", "in", some)
      .execute();
    await emitToChannels(hub, "messages", [uid]);
  });
}
