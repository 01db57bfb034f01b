import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { accountFlags, isInOrder } from "../identity/accounts/accounts.ts";
import { channelColumns } from "../identity/channels/channel.ts";
import type { Channel } from "../identity/channels/channel.ts";

/** A channel as other hubs may ask for it. */
export type Reachable = {
  channel: Channel;
  forum: boolean;
  /** Is it in the directory? */
  listed: boolean;
  /** The type of its picture. */
  picture: string;
  /** When what others see of it changed last, and how often it has. */
  updated: string;
  revision: number;
  /** Undefined for one that is there; else when it was removed, and nothing where its account is merely out of order. */
  gone: { since: string | undefined } | undefined;
};

/**
 * The channel with exactly this nick, also one that has been removed or whose account is blocked: others learn that it is gone
 * (federation contract 1.2, 18.2). Undefined where there never was one.
 */
export async function findReachable(hub: Hub, nick: string): Promise<Reachable | undefined> {
  if (!/^[a-z][a-z0-9_-]{0,63}$/.test(nick)) return undefined;
  const [row] = await compiled(hub, "reachable channel", { nick }, (slots) =>
    hub.db
      .selectFrom("channel")
      .innerJoin("xchan", "xchan_hash", "channel_hash")
      .innerJoin("account", "account_id", "channel_account_id")
      .select(channelColumns)
      .select([
        "xchan_pubforum",
        "xchan_hidden",
        "xchan_censored",
        "xchan_photo_mimetype",
        "account_flags",
        "account_expires",
      ])
      .select(["channel_updated", "channel_revision"])
      .where("channel_address", "=", slots.nick),
  );
  // Nobody has seen anything of somebody who waits to be let in, or has not confirmed their address.
  if (!row || (row.account_flags & (accountFlags.pending | accountFlags.unverified)) !== 0) return undefined;
  const removed = row.channel_removed === 1;
  return {
    channel: row,
    forum: row.xchan_pubforum === 1,
    listed: row.xchan_hidden + row.xchan_censored === 0,
    picture: row.xchan_photo_mimetype,
    updated: row.channel_updated,
    revision: row.channel_revision,
    gone: removed || !isInOrder(hub, row) ? { since: removed ? row.channel_deleted : undefined } : undefined,
  };
}
