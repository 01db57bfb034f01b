import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import { visibleTo } from "../../permissions/visible.ts";
import { withoutUnwanted, yes } from "../queries.ts";
import type { AnyQuery } from "../queries.ts";
import { passesWords } from "../word-filters.ts";

/** What those who listen hear of a channel's row of a message: ids, and what it is. */
export type LiveCopy = {
  id: number;
  uid: number;
  message: number;
  /** Id of the channel's row of the top. */
  thread: number;
  isTop: boolean;
  /** It stands in streams and threads by itself, unlike a reaction. */
  isShown: boolean;
  /** It can be seen; else it was deleted, hidden, taken off the wall, or waits. */
  isNormal: boolean;
};

/** More channels than these are not looked up one by one. */
const few = 50;

/**
 * The rows that these channels have of these messages, with ids in this range: nothing of people whom they have blocked or ignore,
 * and nothing that their filters hide. One query, whoever listens.
 */
export async function ownLiveCopies(
  hub: Hub,
  uids: readonly number[],
  messages: readonly number[],
  { from, to }: { from: number; to: number },
): Promise<LiveCopy[]> {
  // Of a long list it is only asked whether a row's channel is in it.
  const uid = uids.length > few ? sql<number>`item.uid + 0` : sql.ref<number>("item.uid");
  const owner = sql.ref<number>("item.uid");
  const me = sql<number>`(select x.xchan_id from channel c join xchan x on x.xchan_hash = c.channel_hash
    where c.channel_id = item.uid)`;
  const query = copiesOf(hub, messages)
    .where(isOneOf(hub.engine, uid, uids))
    .where("item.id", ">=", from)
    .where("item.id", "<=", to)
    .where(wanted(hub, me));
  return (await withoutUnwanted(query, owner, "ignored too").orderBy("item.id").execute()).map(liveCopy);
}

/** A copy that is gone has no words left, and whoever wrote them. */
function wanted(hub: Hub, me: RawBuilder<number>): RawBuilder<SqlBool> {
  return sql<SqlBool>`(item.item_normal = 0 or ${passesWords(hub, sql.ref<number>("item.uid"), me)})`;
}

/** The rows of these messages in these threads of others that the observer may see, and wants to. */
export async function seenLiveCopies(
  hub: Hub,
  observer: Observer,
  threads: readonly number[],
  messages: readonly number[],
): Promise<LiveCopy[]> {
  const query = copiesOf(hub, messages)
    .where(isOneOf(hub.engine, sql.ref("item.parent"), threads))
    .where("item.item_normal", "=", yes)
    .where(visibleTo(hub, observer));
  const { channelId } = observer;
  const rows = channelId > 0 ? withoutUnwanted(query, channelId, "ignored too") : query;
  return (await rows.orderBy("item.id").execute()).map(liveCopy);
}

/** Those of these threads that have rows of the messages, whoever may see them. */
export async function liveThreads(
  hub: Hub,
  threads: readonly number[],
  messages: readonly number[],
): Promise<number[]> {
  const rows = await hub.db
    .selectFrom("item")
    .select("item.parent")
    .distinct()
    .where(isOneOf(hub.engine, sql.ref("item.message_id"), messages))
    .where(isOneOf(hub.engine, sql<number>`item.parent + 0`, threads))
    .execute();
  return rows.map((row) => row.parent);
}

/** Those of these tops that are somebody else's rows and that the observer may see. */
export async function seenThreadsOfOthers(hub: Hub, observer: Observer, tops: readonly number[]): Promise<number[]> {
  if (tops.length === 0) return [];
  const rows = await hub.db
    .selectFrom("item")
    .select("item.id")
    .where(isOneOf(hub.engine, sql.ref("item.id"), tops))
    .where("item.item_thread_top", "=", yes)
    .where("item.item_normal", "=", yes)
    .where("item.uid", "<>", observer.channelId)
    .where(visibleTo(hub, observer))
    .execute();
  return rows.map((row) => row.id);
}

type Row = {
  id: number;
  uid: number;
  message_id: number;
  parent: number;
  item_thread_top: number;
  item_notshown: number;
  item_normal: number | null;
};

function copiesOf(hub: Hub, messages: readonly number[]): AnyQuery<Row> {
  return hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select(["item.id", "item.uid", "item.message_id", "item.parent"])
    .select(["item.item_thread_top", "item.item_notshown", "item.item_normal"])
    .where(isOneOf(hub.engine, sql.ref("item.message_id"), messages));
}

function liveCopy(row: Row): LiveCopy {
  return {
    id: row.id,
    uid: row.uid,
    message: row.message_id,
    thread: row.parent,
    isTop: row.item_thread_top === 1,
    isShown: row.item_notshown === 0,
    isNormal: row.item_normal === 1,
  };
}
