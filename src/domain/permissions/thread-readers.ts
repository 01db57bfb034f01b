import { sql } from "kysely";
import type { Expression, RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { contains } from "../../storage/sql.ts";
import type { Channel } from "../identity/channels/channel.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { allowedTo } from "./allowed.ts";

/** Who is in the audience of a thread of this hub, as it is now: to whom it is delivered, and who may say something there. */

type Lists = { allow_cid: string; allow_gid: string; deny_cid: string; deny_gid: string };

/** What is known of the top of a thread on its owner's wall. */
export type ReadThread = Lists & { id: number; item_private: number; public_policy: string };

type Owner = Pick<Channel, "channel_id">;

/** Is this identity named by these lists, or is nobody named? Deny lists win. */
export function inAudience(
  hub: Hub,
  lists: Lists,
  hash: RawBuilder<unknown> | Expression<unknown>,
  uid: number,
): RawBuilder<SqlBool> {
  const listed = (
    people: string,
    groups: string,
  ) => sql<boolean>`(${contains(hub.engine, sql`${people}`, sql`'<' || ${hash} || '>'`)}
    or exists (select 1 from pgrp_member m join pgrp g on g.id = m.gid and g.deleted = 0 where m.uid = ${uid}
      and m.xchan = ${hash} and ${contains(hub.engine, sql`${groups}`, sql`'<' || g.hash || '>'`)})
    or exists (select 1 from abook v where v.abook_channel = ${uid} and v.abook_xchan = ${hash} and v.abook_pending = 0
      and v.abook_unconnected = 0      and v.abook_profile <> '' and ${contains(hub.engine, sql`${groups}`, sql`'<vp.' || v.abook_profile || '>'`)}))`;
  const allowed =
    lists.allow_cid === "" && lists.allow_gid === "" ? sql`1 = 1` : listed(lists.allow_cid, lists.allow_gid);
  const denied = lists.deny_cid === "" && lists.deny_gid === "" ? sql`1 = 0` : listed(lists.deny_cid, lists.deny_gid);
  return sql<SqlBool>`(${allowed} and not ${denied})`;
}

/**
 * Does the thread still mean this identity? Whoever has left the audience of a private thread gets no more of it;
 * without lists those who took part stay in it.
 */
function stillAddressed(hub: Hub, top: ReadThread, owner: Owner) {
  if (top.item_private === 0) return sql<boolean>`1 = 1`;
  const hash = sql.ref("channel.channel_hash");
  const named = inAudience(hub, top, hash, owner.channel_id);
  if (top.allow_cid !== "" || top.allow_gid !== "") return named;
  const open = ["authenticated", "network: red", `site: ${hub.config.host}`].includes(top.public_policy);
  if (open) return named;
  const approved = top.public_policy === "any connections" ? sql`` : sql`and k.abook_pending = 0`;
  return sql<boolean>`(${named} and (exists (select 1 from abook k where k.abook_channel = ${owner.channel_id}
      and k.abook_xchan = ${hash} ${approved} and k.abook_archived = 0 and k.abook_unconnected = 0)
    or exists (select 1 from item w where w.parent = ${top.id} and w.item_normal = 1 and w.author_id = xchan.xchan_id)))`;
}

/** May the channel of a row of `channel`, which is `xchan`, read what is new in the thread? */
export function stillReads(hub: Hub, owner: Owner, top: ReadThread): RawBuilder<SqlBool> {
  const reader = {
    hash: sql.ref<string>("channel.channel_hash"),
    channelId: sql.ref<number>("channel.channel_id"),
    native: true,
  };
  const shown = allowedTo(reader, "view_stream", owner.channel_id);
  return sql<SqlBool>`(${stillAddressed(hub, top, owner)} and ${shown})`;
}

/** Those of these private threads, all on walls of this hub, whose audience this channel of it has left. */
export async function threadsLeft<Top extends ReadThread & { uid: number }>(
  hub: Hub,
  { channelId }: Pick<Observer, "channelId">,
  tops: readonly Top[],
): Promise<Set<Top>> {
  const [first, ...more] = tops.map((top) => {
    const reads = stillReads(hub, { channel_id: top.uid }, top);
    return sql<SqlBool>`(item.id = ${top.id} and ${reads})`;
  });
  if (!first) return new Set();
  const rows = await hub.db
    .selectFrom("item")
    .innerJoin("channel", (join) => join.on("channel.channel_id", "=", channelId))
    .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
    .select("item.id")
    .where((x) => x.or([first, ...more]))
    .execute();
  const read = new Set(rows.map(({ id }) => id));
  return new Set(tops.filter(({ id }) => !read.has(id)));
}
