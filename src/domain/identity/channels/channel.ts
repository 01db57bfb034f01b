import type { ColumnName, RowOf } from "../../../storage/row-of.ts";
import type { Listed } from "../records/name-successor.ts";

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
  "channel.channel_screens",
  "xchan.xchan_id",
] as const satisfies readonly ColumnName[];

/** A channel without its private keys, with the id of its xchan. */
export type Channel = RowOf<typeof channelColumns>;

/** Who sees by default what a channel makes. */
export const listedChannels: Listed = {
  table: "channel",
  id: "channel_id",
  uid: "channel_id",
  prefix: "channel_",
};
