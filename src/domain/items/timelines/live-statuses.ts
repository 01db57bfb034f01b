import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { unwantedBy } from "../../connections/unwanted.ts";
import type { ListReplies } from "../../groups/list-choices.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { visibleTo, visibleToChannel } from "../../permissions/visible.ts";
import { observerOf } from "../../identity/channels/observer.ts";
import type { StatusItem } from "../columns.ts";
import { no, selectStatuses, withoutUnwanted, yes } from "../queries.ts";
import { passesWords } from "../word-filters.ts";
import { homeRules } from "./home-rules.ts";
import { listShows } from "./list-timeline.ts";
import { all, listed, notHidden, notOwned, notRepeatedByForum, shown } from "./timeline-sources.ts";

/** What open streams of applications show of messages of which they have heard. */

/** A channel's own rows with these ids, as far as they are shown by themselves. */
export async function ownStatuses(hub: Hub, uid: number, ids: readonly number[]): Promise<StatusItem[]> {
  if (ids.length === 0) return [];
  return selectStatuses(hub)
    .where(isOneOf(hub.engine, sql.ref("item.id"), ids))
    .where("item.uid", "=", uid)
    .where(shown)
    .orderBy("item.id")
    .execute();
}

/** Which of these rows of the channel stand in its home. */
export async function idsAtHome(
  hub: Hub,
  { channel_id: uid, xchan_id: me }: Pick<Channel, "channel_id" | "xchan_id">,
  ids: readonly number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rules = homeRules({ me: sql`${me}`, uid: sql`${uid}`, unwanted: unwantedBy(uid) }, "known");
  const rows = await hub.db
    .selectFrom("item")
    .select("id")
    .where(isOneOf(hub.engine, sql.ref("item.id"), ids))
    .where("item.uid", "=", uid)
    .where(all(rules))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Who of some channels may see which public message, by the copy on a wall; `owned` says that they have a copy of their own. */
export type PublicSight = { reader: number; item: StatusItem; fromHere: boolean; owned: boolean };

/**
 * Who of these channels sees which of these messages on walls, in the public timeline: one query, however many look on. Nobody
 * sees those whom they have blocked or ignore, nor the wall of somebody who does not let them.
 */
export async function publicSights(
  hub: Hub,
  readers: readonly number[],
  messages: readonly number[],
): Promise<PublicSight[]> {
  if (readers.length === 0 || messages.length === 0) return [];
  const [uid, hash] = [sql.ref<number>("reader.channel_id"), sql.ref<string>("reader.channel_hash")];
  const own = sql<number>`(select x.xchan_id from xchan x where x.xchan_hash = reader.channel_hash)`;
  const pairs = await hub.db
    .selectFrom("item")
    .innerJoin("channel as reader", (join) => join.on(isOneOf(hub.engine, sql.ref("reader.channel_id"), readers)))
    .select(["item.id", "reader.channel_id as reader", "item.item_origin"])
    .select(sql<number>`case when ${notOwned(uid)} then 0 else 1 end`.as("owned"))
    .where(isOneOf(hub.engine, sql.ref("item.message_id"), messages))
    .where("item.item_wall", "=", yes)
    .where("item.item_private", "=", no)
    .where(shown)
    .where(notHidden)
    .where(listed)
    .where(notRepeatedByForum)
    .where(visibleToChannel(hub, { hash, channelId: uid }, "none private"))
    .where(sql<SqlBool>`item.author_id not in (${unwantedBy(uid)}) and item.owner_id not in (${unwantedBy(uid)})`)
    .where(passesWords(hub, uid, own, "public"))
    .orderBy("item.id")
    .execute();
  const items = await statusesById(hub, [...new Set(pairs.map(({ id }) => id))]);
  return pairs.flatMap(({ id, reader, item_origin, owned }) => {
    const item = items.get(id);
    return item ? [{ reader, item, fromHere: item_origin === 1, owned: owned === 1 }] : [];
  });
}

/** Those of these messages that members of the channel's group wrote: by its own copies, else by those on walls that it may see. */
export async function listSights(
  hub: Hub,
  channel: Channel,
  groupId: number,
  messages: readonly number[],
  replies: ListReplies,
): Promise<StatusItem[]> {
  if (messages.length === 0) return [];
  const { channel_id: uid, xchan_id: me } = channel;
  const group = { uid: sql<number>`${uid}`, me: sql<number>`${me}`, group: sql<number>`${groupId}` };
  const query = selectStatuses(hub)
    .where(isOneOf(hub.engine, sql.ref("item.message_id"), messages))
    .where(shown)
    .where(all(listShows(hub, group, replies)))
    .where(
      sql<SqlBool>`item.author_id in (select x.xchan_id from pgrp_member g join xchan x on x.xchan_hash = g.xchan
        where g.gid = ${groupId} and g.uid = ${uid})`,
    )
    .where(
      sql<SqlBool>`(item.uid = ${uid} or (item.item_wall = 1 and ${notOwned(sql`${uid}`)} and ${notRepeatedByForum}
        and ${visibleTo(hub, observerOf(channel))}))`,
    );
  return withoutUnwanted(query, uid, "ignored too").orderBy("item.id").execute();
}

/** Ids of rows on walls that were public and are not to be seen any more, by their messages. */
export async function publicTraces(hub: Hub, messages: readonly number[]): Promise<Map<number, number>> {
  if (messages.length === 0) return new Map();
  const rows = await hub.db
    .selectFrom("item")
    .select(["item.id", "item.message_id"])
    .where(isOneOf(hub.engine, sql.ref("item.message_id"), messages))
    .where("item.item_wall", "=", yes)
    .where("item.item_private", "=", no)
    .where("item.item_normal", "=", no)
    .orderBy("item.id", "desc")
    .execute();
  return new Map(rows.map(({ id, message_id }) => [message_id, id]));
}

async function statusesById(hub: Hub, ids: readonly number[]): Promise<Map<number, StatusItem>> {
  if (ids.length === 0) return new Map();
  const items = await selectStatuses(hub)
    .where(isOneOf(hub.engine, sql.ref("item.id"), ids))
    .execute();
  return new Map(items.map((item) => [item.id, item]));
}
