import { sql } from "kysely";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { channelColumns } from "./channel.ts";
import type { Channel } from "./channel.ts";

/** The channels that are not removed: the others do not exist for anybody. */
function activeChannels(hub: Hub) {
  return hub.db
    .selectFrom("channel")
    .innerJoin("xchan", "xchan_hash", "channel_hash")
    .select(channelColumns)
    .where("channel_removed", "=", sql.lit(0));
}

/** The active channel with this nick, in any case. */
export async function findChannelByNick(hub: Hub, nick: string): Promise<Channel | undefined> {
  const asked = { nick: nick.toLowerCase() };
  const rows = await compiled(hub, "channel by nick", asked, (slots) =>
    activeChannels(hub).where("channel_address", "=", slots.nick),
  );
  return rows[0];
}

/** The active channel with this id. */
export async function findChannelById(hub: Hub, channelId: number): Promise<Channel | undefined> {
  return activeChannels(hub).where("channel_id", "=", channelId).executeTakeFirst();
}

/** The active channel of this hub whose identity has this hash. */
export async function findChannelByHash(hub: Hub, hash: string): Promise<Channel | undefined> {
  return activeChannels(hub).where("channel_hash", "=", hash).executeTakeFirst();
}

/** The active channel of this hub whose identity has this id. */
export async function findChannelByXchan(hub: Hub, xchanId: number): Promise<Channel | undefined> {
  return activeChannels(hub).where("xchan_id", "=", xchanId).executeTakeFirst();
}

/** The active channels of this hub whose identities have these ids. */
export async function findChannelsByXchan(hub: Hub, xchanIds: readonly number[]): Promise<Channel[]> {
  if (xchanIds.length === 0) return [];
  return activeChannels(hub)
    .where((eb) => isOneOf(hub.engine, eb.ref("xchan_id"), xchanIds))
    .execute();
}

/** The active channels of one account, or of the whole hub, by id. */
export async function listChannels(hub: Hub, accountId?: number): Promise<Channel[]> {
  const all = activeChannels(hub).orderBy("channel_id");
  return (accountId === undefined ? all : all.where("channel_account_id", "=", accountId)).execute();
}
