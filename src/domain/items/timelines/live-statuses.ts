import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { unwantedBy } from "../../connections/unwanted.ts";
import type { ListReplies } from "../../groups/list-choices.ts";
import { visibleTo, visibleToChannel } from "../../permissions/visible.ts";
import { siteUid } from "../../identity/channels/site-actor.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import { statusCopyColumns } from "../columns.ts";
import type { StatusItem } from "../columns.ts";
import { no, selectStatuses, withoutUnwanted } from "../queries.ts";
import { passesWords } from "../word-filters.ts";
import { homeRules, peopleAtHome } from "./home-rules.ts";
import { listShows } from "./list-timeline.ts";
import {
  all,
  listed,
  madeOnce,
  notHidden,
  notInForum,
  notLimited,
  notOwned,
  notRepeatedByForum,
  shown,
} from "./timeline-sources.ts";

/** What open streams of applications show of messages of which they have heard. */

/** A row of a reader's own, and whether it stands in the reader's home. */
export type OwnSight = { item: StatusItem; isHome: boolean };

/**
 * Rows with these ids that belong to these channels, by channel, as far as they are shown by themselves: two queries, however many
 * look on, and each text once.
 */
export async function ownSights(
  hub: Hub,
  uids: readonly number[],
  ids: readonly number[],
): Promise<Map<number, OwnSight[]>> {
  if (ids.length === 0) return new Map();
  const owner = sql.ref<number>("item.uid");
  const me = sql<number>`(select x.xchan_id from channel c join xchan x on x.xchan_hash = c.channel_hash
    where c.channel_id = item.uid)`;
  const copies = await compiled(hub, "rows of readers", { uids, ids }, (slots) =>
    hub.db
      .selectFrom("item")
      .select(statusCopyColumns)
      .select(isAtHome({ me, uid: owner }).as("home"))
      .where(isOneOf(hub.engine, sql.ref("item.id"), slots.ids))
      .where(isOneOf(hub.engine, sql<number>`item.uid + 0`, slots.uids))
      .where(shown)
      .orderBy("item.id"),
  );
  const first = new Map(copies.map((copy) => [copy.message_id, copy.id]));
  const texts = new Map((await statusesById(hub, [...first.values()])).values().map((item) => [item.message_id, item]));
  const sights = copies.flatMap(({ home, ...copy }) => {
    const text = texts.get(copy.message_id);
    return text ? [{ item: { ...text, ...copy }, isHome: home === 1 }] : [];
  });
  return Map.groupBy(sights, ({ item }) => item.uid);
}

function isAtHome(reader: { me: RawBuilder<number>; uid: RawBuilder<number> }): RawBuilder<number> {
  const once = madeOnce({ unwanted: unwantedBy(reader.uid), ...peopleAtHome(reader.uid) });
  return sql<number>`(with ${sql.join(once)} select case when ${all(homeRules(reader, "known", { unwanted: true, choices: true }))} then 1 else 0 end)`;
}

/** Who of some channels may see which public message, by the copy on a wall or the site's; `owned` says that they have a copy of their own. */
export type PublicSight = { reader: number; item: StatusItem; fromHere: boolean; owned: boolean };

/**
 * Who of these channels sees which of these messages in the public timeline: one query, however many look on. Nobody
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
    .where(sql<SqlBool>`(item.item_wall = 1 or (item.uid = ${siteUid} and ${notInForum} and ${notLimited}))`)
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

/** Those of these messages that members of the observer's group wrote: by its own copies, else by those on walls that it may see. */
export async function listSights(
  hub: Hub,
  observer: Observer,
  groupId: number,
  messages: readonly number[],
  replies: ListReplies,
): Promise<StatusItem[]> {
  if (messages.length === 0) return [];
  const { channelId: uid, xchanId: me } = observer;
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
        and ${visibleTo(hub, observer)}))`,
    );
  return withoutUnwanted(query, uid, "ignored too").orderBy("item.id").execute();
}

/** Ids of rows on walls, and of the site's, that were public and are not to be seen any more, by their messages. */
export async function publicTraces(hub: Hub, messages: readonly number[]): Promise<Map<number, number>> {
  if (messages.length === 0) return new Map();
  const rows = await hub.db
    .selectFrom("item")
    .select(["item.id", "item.message_id"])
    .where(isOneOf(hub.engine, sql.ref("item.message_id"), messages))
    .where(sql<SqlBool>`(item.item_wall = 1 or item.uid = ${siteUid})`)
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
