import type { Generated } from "kysely";

/**
 * Native contract 2.5; `follow_out` and `follow_in`: does the channel read the other side, and the other side the
 * channel?
 */
export type AbookTable = {
  abook_id: Generated<number>;
  abook_account: number;
  abook_channel: number;
  abook_xchan: string;
  abook_closeness: Generated<number>;
  abook_created: string;
  abook_updated: string;
  abook_connected: Generated<string>;
  abook_dob: Generated<string>;
  abook_flags: Generated<number>;
  abook_blocked: Generated<number>;
  abook_ignored: Generated<number>;
  abook_hidden: Generated<number>;
  abook_archived: Generated<number>;
  abook_pending: Generated<number>;
  abook_unconnected: Generated<number>;
  abook_self: Generated<number>;
  abook_feed: Generated<number>;
  abook_profile: Generated<string>;
  abook_incl: Generated<string>;
  abook_excl: Generated<string>;
  abook_instance: Generated<string>;
  /** none, requested, accepted or rejected: does this channel receive theirs? */
  follow_out: Generated<string>;
  /** none, pending or accepted: do they receive this channel's? */
  follow_in: Generated<string>;
  /** Between hubs: the id of the follow that was sent, and of the one that came. */
  follow_out_id: Generated<string>;
  follow_in_id: Generated<string>;
  /** When a follow that nobody has answered is sent once more; unset for never. */
  follow_out_again: Generated<string>;
  /** The other side, elsewhere, has blocked the channel. */
  abook_shut_out: Generated<number>;
  /** The id of that block. */
  shut_out_id: Generated<string>;
  /** When a mute (`abook_ignored`) ends by itself; unset where it does not. */
  mute_ends: Generated<string>;
};

/** What a channel wants nothing of: a whole host of elsewhere. `kind` is block or mute. */
export type HostBlockTable = { id: Generated<number>; uid: number; host: string; kind: string; created: string };

/** When a channel has asked somebody of elsewhere for their posts. */
export type SentFollowTable = { id: Generated<number>; uid: number; sent: string };

/** Native contract 2.6. Unique by (chan, xchan, cat, k). */
export type AbconfigTable = { id: Generated<number>; chan: number; xchan: string; cat: string; k: string; v: string };

/** Native contract 2.7. */
export type PgrpTable = {
  id: Generated<number>;
  hash: string;
  uid: number;
  visible: Generated<number>;
  deleted: Generated<number>;
  gname: string;
  /** When it was made; empty for groups of before that was kept. */
  created: Generated<string>;
};

/** Native contract 2.7. Unique by (gid, xchan). */
export type PgrpMemberTable = { id: Generated<number>; uid: number; gid: number; xchan: string };
