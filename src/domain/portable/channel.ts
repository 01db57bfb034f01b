import type { Channel } from "../identity/channel.ts";
import type { Xchan } from "../identity/xchans.ts";
import { xchanRecord } from "./xchan.ts";

/** The channel record of native contract 2.2 without keys and passwords, joined with its xchan (6.21). */
export function channelRecord(channel: Channel, xchan: Xchan): object {
  return {
    channel_id: String(channel.channel_id),
    channel_account_id: String(channel.channel_account_id),
    channel_primary: String(channel.channel_primary),
    channel_name: channel.channel_name,
    channel_address: channel.channel_address,
    channel_guid: channel.channel_guid,
    channel_guid_sig: channel.channel_guid_sig,
    channel_hash: channel.channel_hash,
    channel_timezone: channel.channel_timezone,
    channel_location: channel.channel_location,
    channel_theme: channel.channel_theme,
    channel_startpage: channel.channel_startpage,
    channel_pubkey: channel.channel_pubkey,
    channel_notifyflags: String(channel.channel_notifyflags),
    channel_pageflags: String(channel.channel_pageflags),
    channel_dirdate: channel.channel_dirdate,
    channel_lastpost: channel.channel_lastpost,
    channel_deleted: channel.channel_deleted,
    channel_active: channel.channel_active,
    channel_max_anon_mail: String(channel.channel_max_anon_mail),
    channel_max_friend_req: String(channel.channel_max_friend_req),
    channel_expire_days: String(channel.channel_expire_days),
    channel_passwd_reset: "",
    channel_default_group: channel.channel_default_group,
    channel_allow_cid: channel.channel_allow_cid,
    channel_allow_gid: channel.channel_allow_gid,
    channel_deny_cid: channel.channel_deny_cid,
    channel_deny_gid: channel.channel_deny_gid,
    channel_removed: String(channel.channel_removed),
    channel_system: String(channel.channel_system),
    channel_moved: channel.channel_moved,
    ...xchanRecord(xchan),
  };
}
