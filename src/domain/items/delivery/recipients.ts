import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { connectionsOf } from "../../connections/connections.ts";
import { unwantedBy } from "../../connections/unwanted.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { siteUid } from "../../identity/channels/site-actor.ts";
import { observerOf } from "../../identity/channels/observer.ts";
import { allowedTo } from "../../permissions/allowed.ts";
import { inAudience, stillReads } from "../../permissions/thread-readers.ts";
import { passesFilter } from "./connection-filter.ts";
import { followingTagsOf } from "../followed-tags.ts";
import { somebodyElsewhere } from "../post-settings.ts";
import { yes, no } from "../queries.ts";
import type { Item } from "../types.ts";
import { termTypes } from "../vocabulary.ts";

/** A channel of this hub that receives an item. */
export type Recipient = { channel_id: number; channel_account_id: number; xchan_id: number; xchan_url: string };

/** May anybody else get the item: connections, channels that it mentions, or that follow a tag of it? Without, there is nothing to deliver. */
export async function reachesOthers(hub: Hub, item: Item): Promise<boolean> {
  return (await reachOf(hub, item)).here;
}

/** The same for this hub and for others, where anybody of elsewhere may be meant as long as the hub knows any. */
export async function reachOf(hub: Hub, { uid, message_id }: Item): Promise<{ here: boolean; elsewhere: boolean }> {
  const [row] = await compiled(hub, "reaches others", { uid, message_id }, (slots) =>
    hub.db.selectNoFrom((x) => [
      sql<number>`case when ${x.exists(connectionsOf(hub, slots.uid))} or ${x.exists(
        x
          .selectFrom("term")
          .innerJoin("xchan", "xchan.xchan_url", "term.url")
          .innerJoin("channel", "channel.channel_hash", "xchan.xchan_hash")
          .select("term.tid")
          .where("term.message_id", "=", slots.message_id)
          .where("term.uid", "=", sql.lit(0))
          .where("term.ttype", "=", sql.lit(termTypes.mention))
          .where("channel.channel_removed", "=", no),
      )} or ${x.exists(followingTagsOf(hub, slots.message_id))} then 1 else 0 end`.as("here"),
      sql<number>`case when ${somebodyElsewhere} then 1 else 0 end`.as("elsewhere"),
    ]),
  );
  return { here: row?.here === 1, elsewhere: row?.elsewhere === 1 };
}

/** Do channels of people other than the owner and the author have the thread, and does the hub know anybody who may have it elsewhere? */
export async function otherReaders(
  hub: Hub,
  top: Item,
  author: Channel | undefined,
): Promise<{ here: boolean; elsewhere: boolean }> {
  const { message_id, uid } = top;
  const [row] = await compiled(hub, "other readers", { message_id, uid, author: author?.channel_id ?? 0 }, (slots) =>
    hub.db.selectNoFrom((x) => [
      sql<number>`case when ${x.exists(
        x
          .selectFrom("item")
          .select("id")
          .where("message_id", "=", slots.message_id)
          .where("uid", "<>", slots.uid)
          .where("uid", "<>", slots.author)
          .where("uid", "<>", sql<number>`coalesce(${siteUid}, 0)`),
      )} then 1 else 0 end`.as("here"),
      sql<number>`case when ${somebodyElsewhere} then 1 else 0 end`.as("elsewhere"),
    ]),
  );
  return { here: row?.here === 1, elsewhere: row?.elsewhere === 1 };
}

/**
 * Channels of this hub that follow the sender, and are approved connections of it; the tables are named for the conditions below.
 * They are looked for in this order: a sender may have thousands of connections elsewhere.
 */
function connectedChannels(hub: Hub, sender: Channel) {
  return hub.db
    .selectFrom("abook as received")
    .crossJoin("channel")
    .crossJoin("abook as sent")
    .crossJoin("xchan as reader")
    .where("received.abook_xchan", "=", sender.channel_hash)
    .where("received.follow_out", "=", "accepted")
    .whereRef("channel.channel_id", "=", "received.abook_channel")
    .where("channel.channel_removed", "=", no)
    .where("sent.abook_channel", "=", sender.channel_id)
    .whereRef("sent.abook_xchan", "=", "channel.channel_hash")
    .where("sent.abook_pending", "=", no)
    .where("sent.abook_unconnected", "=", no)
    .where("sent.abook_archived", "=", no)
    .where("sent.abook_blocked", "=", no)
    .where("sent.abook_self", "=", no)
    .whereRef("reader.xchan_hash", "=", "sent.abook_xchan");
}

/**
 * The channels of this hub to which a top item goes: its audience, as far as each may see the sender's posts and takes
 * them into its stream.
 */
export async function localRecipients(hub: Hub, sender: Channel, item: Item): Promise<Recipient[]> {
  if (item.public_policy === "self") return [];
  const uid = sql.ref<number>("channel.channel_id");
  const reader = { hash: sql.ref<string>("sent.abook_xchan"), channelId: uid, native: true };
  const rows = await connectedChannels(hub, sender)
    .select([
      "channel.channel_id",
      "channel.channel_account_id",
      "reader.xchan_id",
      "reader.xchan_url",
      "received.abook_incl",
      "received.abook_excl",
    ])
    .where(inAudience(hub, item, sql.ref("sent.abook_xchan"), sender.channel_id))
    .where(allowedTo(reader, "view_stream", sender.channel_id))
    .where(allowedTo(observerOf(sender), "send_stream", uid))
    .orderBy("channel.channel_id")
    .execute();
  return rows.filter((row) => passesFilter(row, item));
}

/**
 * The channels that have the thread and may still see it; an answer goes to these. Of a thread of elsewhere, which `keeper` answers,
 * those that want what `keeper` says. One that has moved away gets nothing more here: it has its threads at its new place (native
 * contract 7.4).
 */
export async function threadReaders(hub: Hub, keeper: Channel, top: Item): Promise<Recipient[]> {
  const wants = sql<SqlBool>`${keeper.xchan_id} not in (${unwantedBy(sql.ref("channel.channel_id"))})`;
  return hub.db
    .selectFrom("item")
    .innerJoin("channel", "channel.channel_id", "item.uid")
    .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
    .select(["channel.channel_id", "channel.channel_account_id", "xchan.xchan_id", "xchan.xchan_url"])
    .where("item.message_id", "=", top.message_id)
    .where("item.item_deleted", "=", no)
    .where("item.item_thread_top", "=", yes)
    .where("channel.channel_removed", "=", no)
    .where("channel.channel_moved", "=", sql.lit(""))
    .where("channel.channel_id", "<>", keeper.channel_id)
    .where(top.owner_id === keeper.xchan_id ? stillReads(hub, keeper, top) : wants)
    .orderBy("channel.channel_id")
    .execute();
}

/** A channel of this hub that is mentioned, and whether it is a forum. */
export type Mentioned = Recipient & { forum: number };

/** Local channels by the addresses that an item's mentions lead to. */
export async function mentionedChannels(hub: Hub, urls: string[]): Promise<Mentioned[]> {
  if (urls.length === 0) return [];
  return hub.db
    .selectFrom("channel")
    .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
    .select([
      "channel.channel_id",
      "channel.channel_account_id",
      "xchan.xchan_id",
      "xchan.xchan_url",
      "xchan.xchan_pubforum as forum",
    ])
    .where(isOneOf(hub.engine, sql.ref("xchan.xchan_url"), urls))
    .where("channel.channel_removed", "=", no)
    .execute();
}
