import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { siteChannelId } from "../../identity/channels/site-actor.ts";
import { joinText, keepText } from "../kept-text.ts";
import { dropUnused } from "../posting/trim.ts";
import { no, yes } from "../queries.ts";
import { closeCopies } from "./close-copies.ts";
import { isForThread } from "./for-thread.ts";
import type { Thread } from "./place.ts";
import { channelsFollowing } from "./readers.ts";
import type { Whole } from "./whole.ts";

/** A new version of what somebody elsewhere said, and of an answer the thread in which it stands, as far as that is here. */
export type Version = { whole: Whole; isAnswer: boolean; thread: Thread | undefined };

/**
 * What its author elsewhere said to many is for some from now on: whoever has it and is none of them keeps it as it was, for themselves,
 * since what is new is not for them (decision 188). Part of the transaction that is about to change it.
 */
export async function keepFromLeftOut(hub: Hub, messageId: number, version: Version): Promise<void> {
  if (await isForAll(hub, version)) return;
  const left = await copies(hub, version)
    .select("uid")
    .where("message_id", "=", messageId)
    // Nobody reads the copy of the site any more, which is of what is public.
    .where("uid", "!=", await siteChannelId(hub))
    .where((x) => x.not(isMeant(hub, version.whole, sql.ref("item.uid"))))
    .orderBy("uid")
    .execute();
  if (left.length === 0) return;
  const uids = left.map(({ uid }) => uid);
  await closeCopies(hub, messageId, uids);
  await keepText(hub, messageId, uids);
}

/** Whoever keeps a former version and is meant by this one has it as it is. Part of the transaction that has changed it. */
export async function joinMeant(hub: Hub, messageId: number, version: Version): Promise<void> {
  const { post } = version.whole;
  // In a private thread of this hub those keep one who have left the thread.
  if (version.thread?.owner && version.thread.top.item_private !== 0) return;
  const keeping = copies(hub, version)
    .innerJoin("message", "message.id", "item.message_id")
    .select(["message.id", "uid"])
    .where("mid", "=", post.mid)
    .where("message.author_id", "=", post.author.xchan_id)
    .where("message.version", "<", sql.lit(0));
  const meant = (await isForAll(hub, version))
    ? keeping
    : keeping.where(isMeant(hub, version.whole, sql.ref("item.uid")));
  const rows = await meant.execute();
  if (rows.length === 0) return;
  const kept = [...new Set(rows.map(({ id }) => id))];
  await joinText(hub, { kept, text: messageId, uids: rows.map(({ uid }) => uid) });
  await dropUnused(hub, kept);
}

/** Is it for somebody else than the owner of the thread, which is of this hub? Then it is nobody's there. */
export async function leavesOwnerOut(hub: Hub, version: Version): Promise<boolean> {
  const { whole, thread } = version;
  if (!thread?.owner || (await isForAll(hub, version))) return false;
  const owner = await hub.db
    .selectFrom("channel")
    .select("channel_id")
    .where("channel_id", "=", thread.owner.channel_id)
    .where(isMeant(hub, whole, sql.ref("channel.channel_id")))
    .executeTakeFirst();
  return owner === undefined;
}

/** Is it for everybody, or for the whole of a private thread? */
async function isForAll(hub: Hub, { whole: { audience }, thread }: Version): Promise<boolean> {
  if (audience.isPublic) return true;
  if (!thread || thread.top.item_private === 0) return false;
  return thread.owner !== undefined || isForThread(hub, thread.top, audience);
}

/** Those of a post that people have by the word of its author: not from a group, nor on a wall of their own; and all of an answer. */
function copies(hub: Hub, { whole: { post }, isAnswer }: Version) {
  const all = hub.db.selectFrom("item").where("item_deleted", "=", no);
  if (isAnswer) return all.where("item_thread_top", "=", no);
  return all
    .where("item_thread_top", "=", yes)
    .where("owner_id", "=", post.author.xchan_id)
    .where("item_wall", "=", no);
}

/** Is this channel named, or does it follow the author where it is for these? */
function isMeant(hub: Hub, { post, audience }: Whole, uid: RawBuilder<unknown>): RawBuilder<SqlBool> {
  const isNamed = isOneOf(hub.engine, uid, [...audience.named]);
  return audience.followers ? sql<SqlBool>`(${isNamed} or ${uid} in ${channelsFollowing(hub, post.author)})` : isNamed;
}
