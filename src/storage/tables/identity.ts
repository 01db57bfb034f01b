import type { Generated } from "kysely";

/** Native contract 2.1. The password is a salted slow hash. */
export type AccountTable = {
  account_id: Generated<number>;
  account_parent: Generated<number>;
  account_default_channel: Generated<number>;
  account_email: string;
  account_password: string;
  account_language: Generated<string>;
  account_created: string;
  account_lastlog: Generated<string>;
  account_expires: Generated<string>;
  account_password_changed: Generated<string>;
  account_flags: Generated<number>;
  account_roles: Generated<number>;
  account_service_class: Generated<string>;
  account_level: Generated<number>;
  /** 1: the password alone does not let in. */
  account_second_factor: Generated<number>;
  /** 1: the site does not show its channels in public, and whom they want to connect with is asked. */
  account_limited: Generated<number>;
  /** What somebody wrote who asked to join; and the channel that has invited them, 0 for none. */
  account_reason: Generated<string>;
  account_invited_by: Generated<number>;
  /** How pages look for whom it is; empty leaves it to the browser. */
  account_theme: Generated<string>;
  account_text_size: Generated<string>;
};

/** Native contract 2.2; the counts are kept for user objects. */
export type ChannelTable = {
  channel_id: Generated<number>;
  channel_account_id: number;
  channel_primary: Generated<number>;
  channel_name: string;
  channel_address: string;
  channel_guid: string;
  channel_guid_sig: string;
  channel_hash: string;
  channel_timezone: Generated<string>;
  channel_location: Generated<string>;
  channel_theme: Generated<string>;
  channel_startpage: Generated<string>;
  channel_pubkey: string;
  channel_prvkey: string;
  channel_ed25519_pubkey: string;
  channel_ed25519_prvkey: string;
  channel_notifyflags: Generated<number>;
  channel_pageflags: Generated<number>;
  channel_dirdate: Generated<string>;
  channel_lastpost: Generated<string>;
  channel_deleted: Generated<string>;
  channel_active: Generated<string>;
  channel_max_anon_mail: Generated<number>;
  channel_max_friend_req: Generated<number>;
  channel_expire_days: Generated<number>;
  channel_default_group: Generated<string>;
  channel_allow_cid: Generated<string>;
  channel_allow_gid: Generated<string>;
  channel_deny_cid: Generated<string>;
  channel_deny_gid: Generated<string>;
  channel_removed: Generated<number>;
  channel_system: Generated<number>;
  channel_moved: Generated<string>;
  channel_created: string;
  /** When what others see of it changed last, and how often it has. */
  channel_updated: Generated<string>;
  channel_revision: Generated<number>;
  friends_count: Generated<number>;
  followers_count: Generated<number>;
  /** Bits (`permissionBits`) of what it lets everybody read; the database keeps it as the limits in `config` say. */
  channel_open: Generated<number>;
  /** Settings that go with everybody who is shown it, in JSON by family and key; kept from `config` as well. */
  channel_shown: Generated<string>;
  /** Bits (`screenBits`) of what keeps something out of its lists; kept from its filters, connections and blocked hosts. */
  channel_screens: Generated<number>;
};

/**
 * A key with which a channel signs requests in the place of that of its identity (federation contract 1.3). One that is retired
 * is still published for a while, and its private half is gone.
 */
export type TransportKeyTable = {
  channel_id: number;
  /** As the channel's document names it, after the `#`. */
  name: string;
  pubkey: string;
  prvkey: string;
  created: string;
  /** Unset for the one in use. */
  retired: Generated<string>;
};

/** Native contract 2.3. `xchan_id` is the user id of the microblog API; the last columns feed its user object. */
export type XchanTable = {
  xchan_id: Generated<number>;
  xchan_hash: string;
  xchan_guid: Generated<string>;
  xchan_guid_sig: Generated<string>;
  xchan_pubkey: Generated<string>;
  xchan_photo_mimetype: Generated<string>;
  xchan_photo_l: Generated<string>;
  xchan_photo_m: Generated<string>;
  xchan_photo_s: Generated<string>;
  xchan_addr: Generated<string>;
  xchan_url: Generated<string>;
  xchan_connurl: Generated<string>;
  xchan_follow: Generated<string>;
  xchan_connpage: Generated<string>;
  xchan_name: Generated<string>;
  xchan_network: Generated<string>;
  xchan_instance_url: Generated<string>;
  xchan_flags: Generated<number>;
  xchan_photo_date: Generated<string>;
  xchan_name_date: Generated<string>;
  xchan_hidden: Generated<number>;
  xchan_orphan: Generated<number>;
  xchan_censored: Generated<number>;
  xchan_selfcensored: Generated<number>;
  xchan_system: Generated<number>;
  xchan_pubforum: Generated<number>;
  xchan_deleted: Generated<number>;
  xchan_created: string;
  /** Only told about by imports, never met (decision 27). */
  xchan_hearsay: Generated<number>;
  xchan_about: Generated<string>;
  /** The codes in the name for which its host has pictures, with a space between them. */
  xchan_emoji: Generated<string>;
  xchan_location: Generated<string>;
  statuses_count: Generated<number>;
};

/** Native contract 2.4. */
export type HublocTable = {
  hubloc_id: Generated<number>;
  hubloc_guid: Generated<string>;
  hubloc_guid_sig: Generated<string>;
  hubloc_hash: string;
  hubloc_addr: Generated<string>;
  hubloc_network: Generated<string>;
  hubloc_flags: Generated<number>;
  hubloc_status: Generated<number>;
  hubloc_url: Generated<string>;
  hubloc_url_sig: Generated<string>;
  hubloc_host: Generated<string>;
  hubloc_callback: Generated<string>;
  hubloc_connect: Generated<string>;
  hubloc_sitekey: Generated<string>;
  hubloc_updated: Generated<string>;
  hubloc_connected: Generated<string>;
  hubloc_primary: Generated<number>;
  hubloc_orphancheck: Generated<number>;
  hubloc_error: Generated<number>;
  hubloc_deleted: Generated<number>;
};

/** Native contract 2.15, profile. */
export type ProfileTable = {
  id: Generated<number>;
  aid: number;
  uid: number;
  profile_guid: string;
  profile_name: string;
  is_default: Generated<number>;
  hide_friends: Generated<number>;
  fullname: Generated<string>;
  pdesc: Generated<string>;
  chandesc: Generated<string>;
  dob: Generated<string>;
  dob_tz: Generated<string>;
  address: Generated<string>;
  locality: Generated<string>;
  region: Generated<string>;
  postal_code: Generated<string>;
  country_name: Generated<string>;
  hometown: Generated<string>;
  gender: Generated<string>;
  marital: Generated<string>;
  partner: Generated<string>;
  howlong: Generated<string>;
  sexual: Generated<string>;
  politic: Generated<string>;
  religion: Generated<string>;
  keywords: Generated<string>;
  likes: Generated<string>;
  dislikes: Generated<string>;
  about: Generated<string>;
  summary: Generated<string>;
  music: Generated<string>;
  book: Generated<string>;
  tv: Generated<string>;
  film: Generated<string>;
  interest: Generated<string>;
  romance: Generated<string>;
  employment: Generated<string>;
  education: Generated<string>;
  contact: Generated<string>;
  channels: Generated<string>;
  homepage: Generated<string>;
  photo: Generated<string>;
  thumb: Generated<string>;
  publish: Generated<number>;
  profile_vcard: Generated<string>;
  /** HTML of the texts, as JSON; null: from before it was stored. */
  html: Generated<string | null>;
};

/** Settings of one channel, native contract 2.15 (pconfig). Unique by (uid, cat, k). */
export type ConfigTable = { id: Generated<number>; uid: number; cat: string; k: string; v: string; updated: string };

/** Settings of the site. */
export type SettingTable = { k: string; v: string };

/** A web log-in. Only a digest of the cookie's value is kept. */
export type SessionTable = {
  token_digest: string;
  account_id: number;
  channel_id: number;
  csrf_token: string;
  created: string;
  expires: string;
  /** When it was last used, to the hour. */
  used: string;
  /** Such as "Firefox (Linux)". */
  browser: Generated<string>;
  /** From where it was used last; empty where nobody knows. */
  address: Generated<string>;
};

/** Image renditions, native contract 2.14; `blob` names the bytes in the blob store. */
export type PhotoTable = {
  id: Generated<number>;
  aid: number;
  uid: number;
  xchan: Generated<string>;
  resource_id: string;
  created: string;
  edited: string;
  expires: Generated<string>;
  title: Generated<string>;
  description: Generated<string>;
  album: Generated<string>;
  filename: Generated<string>;
  mimetype: Generated<string>;
  height: Generated<number>;
  width: Generated<number>;
  filesize: Generated<number>;
  blob: string;
  imgscale: Generated<number>;
  photo_usage: Generated<number>;
  profile: Generated<number>;
  is_nsfw: Generated<number>;
  photo_flags: Generated<number>;
  /** What it looks like from afar (blurha.sh), made with the renditions; empty as long as nobody knows. */
  blurhash: Generated<string>;
  /** Of its bytes, in hex; empty where nobody has looked. */
  sha256: Generated<string>;
  /** The point that stays in sight where it is cropped: `x,y` from -1.0 to 1.0, from the left and from below; empty for the middle. */
  focus: Generated<string>;
  allow_cid: Generated<string>;
  allow_gid: Generated<string>;
  deny_cid: Generated<string>;
  deny_gid: Generated<string>;
};
