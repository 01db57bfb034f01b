import type { ColumnName, RowOf } from "../../../storage/row-of.ts";

/** Who looks; undefined is somebody anonymous. */
export type Observer =
  | {
      xchanId: number;
      hash: string;
      native: boolean;
      /** 0: no channel of this hub. */
      channelId: number;
      /** The channel whose guest it is, 0 for none any more; for all others it is somebody anonymous. */
      guestOf?: number;
    }
  | undefined;

/** The columns of a Channel, for queries that join `xchan`. The private keys stay where they are. */
export const channelColumns = [
  "channel.channel_id",
  "channel.channel_account_id",
  "channel.channel_primary",
  "channel.channel_name",
  "channel.channel_address",
  "channel.channel_guid",
  "channel.channel_guid_sig",
  "channel.channel_hash",
  "channel.channel_timezone",
  "channel.channel_location",
  "channel.channel_theme",
  "channel.channel_startpage",
  "channel.channel_pubkey",
  "channel.channel_ed25519_pubkey",
  "channel.channel_notifyflags",
  "channel.channel_pageflags",
  "channel.channel_dirdate",
  "channel.channel_lastpost",
  "channel.channel_deleted",
  "channel.channel_active",
  "channel.channel_max_anon_mail",
  "channel.channel_max_friend_req",
  "channel.channel_expire_days",
  "channel.channel_default_group",
  "channel.channel_allow_cid",
  "channel.channel_allow_gid",
  "channel.channel_deny_cid",
  "channel.channel_deny_gid",
  "channel.channel_removed",
  "channel.channel_system",
  "channel.channel_moved",
  "channel.channel_created",
  "channel.friends_count",
  "channel.followers_count",
  "xchan.xchan_id",
] as const satisfies readonly ColumnName[];

/** A channel without its private keys, with the id of its xchan. */
export type Channel = RowOf<typeof channelColumns>;

/** The channel itself as the one who looks. */
export function observerOf(channel: Channel): NonNullable<Observer> {
  return { xchanId: channel.xchan_id, hash: channel.channel_hash, native: true, channelId: channel.channel_id };
}
