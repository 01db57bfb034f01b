import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { accountFlags, mayAuthenticate } from "../identity/accounts/accounts.ts";
import { channelColumns } from "../identity/channels/channel.ts";
import type { Channel } from "../identity/channels/channel.ts";

/** A channel as other hubs may ask for it. */
export type Reachable = {
  channel: Channel;
  forum: boolean;
  /** Undefined for one that is there; else when it was removed, and nothing where its account is merely out of order. */
  gone: { since: string | undefined } | undefined;
};

/**
 * The channel with exactly this nick, also one that has been removed or whose account is blocked: others learn that it is gone
 * (federation contract 1.2, 18.2). Undefined where there never was one.
 */
export async function findReachable(hub: Hub, nick: string): Promise<Reachable | undefined> {
  if (!/^[a-z][a-z0-9_-]{0,63}$/.test(nick)) return undefined;
  const row = await hub.db
    .selectFrom("channel")
    .innerJoin("xchan", "xchan_hash", "channel_hash")
    .innerJoin("account", "account_id", "channel_account_id")
    .select(channelColumns)
    .select(["xchan_pubforum", "account_flags"])
    .select((eb) => eb.case().when(mayAuthenticate(hub)(eb)).then(sql.lit(1)).else(sql.lit(0)).end().as("in_order"))
    .where("channel_address", "=", nick)
    .executeTakeFirst();
  // Nobody has seen anything of somebody who waits to be let in.
  if (!row || (row.account_flags & accountFlags.pending) !== 0) return undefined;
  const { xchan_pubforum, account_flags: _, in_order, ...channel } = row;
  const removed = channel.channel_removed === 1;
  const gone = removed || in_order === 0 ? { since: removed ? channel.channel_deleted : undefined } : undefined;
  return { channel, forum: xchan_pubforum === 1, gone };
}
