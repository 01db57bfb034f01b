import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import { missing } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { zeroDate } from "../../storage/sql.ts";
import { mayAuthenticate } from "../identity/accounts/accounts.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { observerOf } from "../identity/channels/observer.ts";
import { findXchan } from "../identity/xchans/xchans.ts";
import { allowedTo } from "../permissions/allowed.ts";
import { visibleTo } from "../permissions/visible.ts";

/** Why somebody is suggested: connections of the channel know them, they write with tags that it follows, or they are new and write. */
const suggestionReasons = ["friends", "tags", "active"] as const;
export type SuggestionReason = (typeof suggestionReasons)[number];

/** Somebody of this hub; `friends` is how many of the channel's connections are known to be connected with them. */
export type Suggestion = { xchan_id: number; reason: SuggestionReason; friends: number };

/**
 * So much of each is looked at: of one's own connections, of the posts with a tag, and of the newest channels. Whom somebody knows who
 * is connected with more people than that says little.
 */
const mostConnections = 50;
const mostFriends = 200;
const mostOfTag = 50;
const mostNewest = 100;

/**
 * People on this hub with whom the channel may want to connect, the likeliest first; in one query. Nobody who hides, with whom it
 * has something already, who has blocked it, or whom it has dismissed.
 */
export async function suggestedPeople(hub: Hub, channel: Channel, count: number): Promise<Suggestion[]> {
  const me = channel.channel_id;
  const found = sql<{ channel_id: number; kind: number; friends: number }>`(${friendsOfFriends(channel)}
    union all ${writingWithTags(hub, channel)} union all ${newest()})`;
  const kind = sql<number>`min(found.kind)`;
  const friends = sql<number>`max(found.friends)`;
  const rows = await hub.db
    .selectFrom(found.as("found"))
    .innerJoin("channel", "channel.channel_id", "found.channel_id")
    .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
    .innerJoin("account", "account.account_id", "channel.channel_account_id")
    .select(["xchan.xchan_id", kind.as("kind"), friends.as("friends")])
    .where(mayAuthenticate(hub))
    .where("channel.channel_removed", "=", sql.lit(0))
    .where("channel.channel_moved", "=", sql.lit(""))
    .where("channel.channel_id", "<>", me)
    .where("xchan.xchan_hidden", "=", 0)
    .where("xchan.xchan_censored", "=", 0)
    .where(sql<SqlBool>`not exists (select 1 from abook a where a.abook_channel = ${me}
      and a.abook_xchan = channel.channel_hash)`)
    .where(sql<SqlBool>`not exists (select 1 from abook b where b.abook_channel = channel.channel_id
      and b.abook_xchan = ${channel.channel_hash} and b.abook_blocked = 1)`)
    .where(sql<SqlBool>`not exists (select 1 from dismissed_suggestion d where d.uid = ${me}
      and d.xchan_id = xchan.xchan_id)`)
    .groupBy(["xchan.xchan_id", "channel.channel_id"])
    .orderBy(kind)
    .orderBy(friends, "desc")
    .orderBy("channel.channel_id", "desc")
    .limit(count)
    .execute();
  return rows.map(({ xchan_id, kind, friends }) => ({
    xchan_id: Number(xchan_id),
    reason: suggestionReasons[Number(kind)]!,
    friends: Number(friends),
  }));
}

/** The channel does not want this person to be suggested any more; harmless again. Throws missing. */
export async function dismissSuggestion(hub: Hub, { channel_id: uid }: Channel, hash: string): Promise<void> {
  const person = await findXchan(hub, { hash });
  if (!person) throw missing("Identity");
  await inTransaction(hub, async (hub) => {
    await hub.db
      .insertInto("dismissed_suggestion")
      .values({ uid, xchan_id: person.xchan_id })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/** Whom connections of this hub are connected with, as far as they let the channel see that. */
function friendsOfFriends(channel: Channel): RawBuilder<unknown> {
  const shows = allowedTo(observerOf(channel), "view_contacts", sql.ref<number>("friend.channel_id"));
  return sql`select other.channel_id as channel_id, 0 as kind, count(*) as friends
    from (select a.abook_xchan from abook a where a.abook_channel = ${channel.channel_id} and a.abook_self = 0
      and a.follow_out = 'accepted' and a.abook_blocked = 0 and a.abook_ignored = 0 and a.abook_archived = 0
      order by a.abook_id desc limit ${sql.lit(mostConnections)}) as closest
    join channel friend on friend.channel_hash = closest.abook_xchan and friend.channel_removed = 0
      and friend.friends_count <= ${sql.lit(mostFriends)}
    join abook theirs on theirs.abook_channel = friend.channel_id
    join channel other on other.channel_hash = theirs.abook_xchan
    where theirs.abook_self = 0 and theirs.abook_pending = 0 and theirs.abook_unconnected = 0 and theirs.abook_hidden = 0
    and theirs.abook_blocked = 0 and theirs.abook_ignored = 0 and theirs.abook_archived = 0
    and not exists (select 1 from profile p where p.uid = friend.channel_id and p.hide_friends = 1)
    and ${shows}
    group by other.channel_id`;
}

/** Who has written public posts with the tags that the channel follows. */
function writingWithTags(hub: Hub, channel: Channel): RawBuilder<unknown> {
  return sql`select writer.channel_id as channel_id, 1 as kind, 0 as friends
    from followed_tag f cross join term t
    join item on item.message_id = t.message_id and item.item_wall = 1 and item.item_private = 0 and item.item_origin = 1
    join xchan w on w.xchan_id = item.author_id
    join channel writer on writer.channel_hash = w.xchan_hash
    where f.uid = ${channel.channel_id} and t.ttype = 1 and t.term_key = f.term_key and t.uid = 0 and t.message_id >= coalesce((select k.message_id from term k
      where k.ttype = 1 and k.term_key = f.term_key order by k.message_id desc limit 1 offset ${sql.lit(mostOfTag)}), 0)
    and ${isShown(hub, channel)}
    group by writer.channel_id`;
}

function isShown(hub: Hub, channel: Channel): RawBuilder<SqlBool> {
  return sql<SqlBool>`item.item_normal = 1 and ${visibleTo(hub, observerOf(channel))}`;
}

/** The newest channels that have written something. */
function newest(): RawBuilder<unknown> {
  return sql`select young.channel_id as channel_id, 2 as kind, 0 as friends
    from (select every_one.channel_id from channel every_one where every_one.channel_removed = 0 and every_one.channel_lastpost > ${zeroDate}
      order by every_one.channel_id desc limit ${sql.lit(mostNewest)}) as young`;
}
