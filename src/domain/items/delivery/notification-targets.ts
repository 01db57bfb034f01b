import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { tellsPosts } from "../../connections/follow-choices.ts";
import { unwantedBy } from "../../connections/unwanted.ts";
import { sharesPurely } from "../queries.ts";
import type { Recipient } from "./recipients.ts";
import type { Item } from "../types.ts";
import { verbUri } from "../vocabulary.ts";

/** Who is notified: whom a message concerns, and what people have said about hearing more. */

/**
 * The readers who are mentioned, or who wrote something in the thread or follow it, unless they stopped that, and (`posts`) those who
 * want to hear of what the writer posts; not those who have blocked or ignore the writer. Each reader's thread is the one that its copy of
 * the message belongs to.
 */
export async function concernedAmong(
  hub: Hub,
  readers: readonly Recipient[],
  message: Pick<Item, "message_id" | "author_id">,
): Promise<Map<number, "concerned" | "posts">> {
  const uids = readers.map((reader) => reader.channel_id);
  const concerned = sql<SqlBool>`(news.item_mentionsme = 1 or ((exists (select 1 from item own
      where own.parent = news.parent and own.item_normal = 1 and own.author_id = xchan.xchan_id)
      or ${hasWishThere("follow")}) and not ${hasWishThere("unfollow")}))`;
  const wantsPosts = sql<SqlBool>`(news.item_thread_top = 1 and ${tellsPosts(sql.ref("news.uid"), message.author_id)}
    and not exists (select 1 from message m where m.id = news.message_id and m.shared_id > 0 and ${sharesPurely("m")}))`;
  const rows = await hub.db
    .selectFrom("item as news")
    .innerJoin("channel", "channel.channel_id", "news.uid")
    .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
    .select("news.uid")
    .select(sql<number>`case when ${concerned} then 1 else 0 end`.as("concerned"))
    .where("news.message_id", "=", message.message_id)
    .where(isOneOf(hub.engine, sql.ref("news.uid"), uids))
    .where(sql<SqlBool>`(${concerned} or ${wantsPosts})`)
    .where(sql<SqlBool>`${message.author_id} not in (${unwantedBy(sql.ref("news.uid"))})`)
    .execute();
  return new Map(rows.map((row) => [row.uid, row.concerned === 1 ? "concerned" : "posts"]));
}

/** Has this person said that they follow the thread, or do not any more? (follow.ts) Their word is a hidden item of it. */
export function hasFollowWish(
  parent: RawBuilder<unknown>,
  who: RawBuilder<unknown>,
  wish: "follow" | "unfollow",
): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from item f join message w on w.id = f.message_id
    where f.parent = ${parent} and f.item_normal = 0 and f.item_hidden = 1 and f.item_deleted = 0
    and f.author_id + 0 = ${who} and w.verb = ${verbUri(wish)})`;
}

/**
 * The threads of which the channel wants to hear no more, found by its own words: others may have said anything in them. The
 * verb is looked up for each of these, so that PostgreSQL does not look for it among all messages.
 */
export function silenced(uid: RawBuilder<unknown>, who: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select f.parent from item f
    where f.uid = ${uid} and f.author_id = ${who} and f.item_normal = 0 and f.item_hidden = 1 and f.item_deleted = 0
    and (select w.verb from message w where w.id = f.message_id) = ${verbUri("unfollow")}`;
}

function hasWishThere(wish: "follow" | "unfollow") {
  return hasFollowWish(sql.ref("news.parent"), sql.ref("xchan.xchan_id"), wish);
}

/** Has the channel blocked this person, or does it ignore them? */
export async function unwelcome(hub: Hub, uid: number, personId: number): Promise<boolean> {
  const row = await hub.db
    .selectNoFrom(sql<number>`case when ${personId} in (${unwantedBy(uid)}) then 1 else 0 end`.as("yes"))
    .executeTakeFirstOrThrow();
  return row.yes === 1;
}
