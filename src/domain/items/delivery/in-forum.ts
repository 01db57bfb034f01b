import { sql } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { findChannelById } from "../../identity/channels/channels.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { isWhispered } from "../audience.ts";
import { selectItems, yes } from "../queries.ts";
import type { Item } from "../types.ts";

/** A forum, and its own copy of what somebody else has said or done in one of its threads. */
export type InForum = { forum: Channel; item: Item };

/**
 * What a message is in the threads of this channel, where that is a forum: what it tells its followers of (federation contract
 * 6.5). Undefined for what the forum has said itself, for what is for the forum alone, and for what waits or was taken away.
 */
export async function inForum(hub: Hub, channelId: number, messageId: number): Promise<InForum | undefined> {
  const item = await selectItems(hub)
    .innerJoin("xchan as owner", "owner.xchan_id", "item.owner_id")
    .innerJoin("channel", "channel.channel_hash", "owner.xchan_hash")
    .where("item.message_id", "=", messageId)
    .where("item.uid", "=", channelId)
    .where("item.item_wall", "=", yes)
    .where("item.item_normal", "=", yes)
    .where("channel.channel_id", "=", channelId)
    .where("owner.xchan_pubforum", "=", 1)
    .whereRef("item.author_id", "<>", "item.owner_id")
    .executeTakeFirst();
  const forum = item && (await findChannelById(hub, channelId));
  return forum && !isWhispered(item, forum) ? { forum, item } : undefined;
}

/** The forum in whose threads a message stands, or stood until it was deleted. */
export async function forumOf(hub: Hub, messageId: number): Promise<Channel | undefined> {
  const row = await hub.db
    .selectFrom("item")
    .innerJoin("xchan as owner", "owner.xchan_id", "item.owner_id")
    .innerJoin("channel", "channel.channel_hash", "owner.xchan_hash")
    .select("channel.channel_id")
    .where("item.message_id", "=", messageId)
    .where("item.item_wall", "=", yes)
    .where("owner.xchan_pubforum", "=", 1)
    .whereRef("channel.channel_id", "=", "item.uid")
    .whereRef("item.author_id", "<>", "item.owner_id")
    .orderBy("channel.channel_id")
    .executeTakeFirst();
  return row && findChannelById(hub, row.channel_id);
}

/** Is this identity a forum, here or elsewhere? */
export async function isForum(hub: Hub, xchanId: number): Promise<boolean> {
  const row = await hub.db
    .selectFrom("xchan")
    .select("xchan_pubforum")
    .where("xchan_id", "=", xchanId)
    .executeTakeFirst();
  return row?.xchan_pubforum === 1;
}

/** The forums among these identities. */
export async function forumsAmong(
  hub: Hub,
  ids: readonly number[],
): Promise<{ xchan_id: number; xchan_hash: string }[]> {
  return hub.db
    .selectFrom("xchan")
    .select(["xchan_id", "xchan_hash"])
    .where(isOneOf(hub.engine, sql.ref("xchan_id"), ids))
    .where("xchan_pubforum", "=", 1)
    .execute();
}
