import type { ConfigRow } from "../identity/channels/channel-config.ts";
import type { Channel } from "../identity/channels/channel.ts";
import type { PermissionName } from "../identity/channels/roles.ts";
import type { PrivateKeys } from "../identity/xchans/signing.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { configRecord } from "./config.ts";
import { xchanRecord } from "./xchan.ts";

/** The channel record without keys and passwords, joined with its xchan. */
export function channelRecord(channel: Channel, xchan: Xchan): object {
  return { ...ownFields(channel), ...publicKey(channel), ...otherFields(channel), ...xchanRecord(xchan) };
}

/**
 * The channel record as exports carry it: with its private keys (PEM), the config rows of its limits, and the older columns
 * that the limits had (native contract 2.2).
 */
export function exportedChannel(channel: Channel, keys: PrivateKeys, limits: readonly ConfigRow[]): object {
  const values = new Map(limits.map(({ k, v }) => [k, v]));
  const limitOf = (permission: string): string => values.get(permission) ?? "0";
  const columns = Object.entries(limitColumns).map(([column, permission]) => [column, limitOf(permission)] as const);
  return {
    ...ownFields(channel),
    ...publicKey(channel),
    channel_prvkey: keys.rsa,
    channel_ed25519_pubkey: channel.channel_ed25519_pubkey,
    channel_ed25519_prvkey: keys.ed25519,
    ...otherFields(channel),
    ...Object.fromEntries(columns),
    perm_limits: limits.map(configRecord),
  };
}

/** The older columns that limits had, by permission (native contract 2.2, 3.2). */
export const limitColumns = {
  channel_r_stream: "view_stream",
  channel_r_profile: "view_profile",
  channel_r_abook: "view_contacts",
  channel_r_storage: "view_storage",
  channel_r_pages: "view_pages",
  channel_w_stream: "send_stream",
  channel_w_wall: "post_wall",
  channel_w_comment: "post_comments",
  channel_w_mail: "post_mail",
  channel_w_like: "post_like",
  channel_w_tagwall: "tag_deliver",
  channel_w_chat: "chat",
  channel_w_storage: "write_storage",
  channel_w_pages: "write_pages",
  channel_a_republish: "republish",
  channel_a_delegate: "delegate",
} as const satisfies Record<string, PermissionName>;

function ownFields(channel: Channel): object {
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
  };
}

function publicKey(channel: Channel): object {
  return { channel_pubkey: channel.channel_pubkey };
}

function otherFields(channel: Channel): object {
  return {
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
  };
}
