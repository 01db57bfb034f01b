import { z } from "zod";
import { digits, flag, hash, text, time, unsetTime, url } from "./kinds.ts";

/** The records of people and groups. */

const guid = "u7Kd-9ePzR1b";
const page = "https://hub.example/channel/alma";
const photo = (size: string): string => `https://hub.example/photo/profile/${size}/2`;

/** An xchan, portable form. */
export const Xchan = z.strictObject({
  hash: hash("Hash of the identity, its key everywhere."),
  guid: text("Its global id, the same at all of its locations.", guid),
  guid_sig: text("Signature of the guid by its key; empty for foreign networks.", "tH4sWq8YcNe"),
  pubkey: text("Its public key, as PEM.", "-----BEGIN PUBLIC KEY-----\n…"),
  photo_mimetype: text("Type of its picture.", "image/png"),
  photo_l: url("Its picture, 300 pixels wide.", photo("l")),
  photo_m: url("Its picture, 80 pixels wide.", photo("m")),
  photo_s: url("Its picture, 48 pixels wide.", photo("s")),
  address: text("`nick@host`.", "alma@hub.example"),
  url: url("Its page.", page),
  connurl: url("Its contact list for other programs.", "https://hub.example/poco/alma"),
  follow: url(
    "Where it can be followed, with `%s` for the follower's address.",
    "https://hub.example/follow?f=&url=%s",
  ),
  connpage: url("Page to visit before connecting, if there is one."),
  name: text("Its name.", "Alma"),
  network: text("Code of its network; `zot` for channels of this family.", "zot"),
  instance_url: url("Not used."),
  flags: digits("Bits of old exports."),
  photo_date: time("When its picture changed."),
  name_date: time("When its name changed."),
  hidden: flag("It is not listed."),
  orphan: flag("No location of it is known."),
  censored: flag("The site does not show it."),
  selfcensored: flag("It is for adults."),
  system: flag("It is the channel of a site."),
  pubforum: flag("It is a public forum."),
  deleted: flag("It has been deleted everywhere."),
});

/** An xchan, record form: the 26 fields of native contract 6.13. */
export const XchanRecord = z.strictObject({
  xchan_hash: Xchan.shape.hash,
  xchan_guid: Xchan.shape.guid,
  xchan_guid_sig: Xchan.shape.guid_sig,
  xchan_pubkey: Xchan.shape.pubkey,
  xchan_photo_mimetype: Xchan.shape.photo_mimetype,
  xchan_photo_l: Xchan.shape.photo_l,
  xchan_photo_m: Xchan.shape.photo_m,
  xchan_photo_s: Xchan.shape.photo_s,
  xchan_addr: Xchan.shape.address,
  xchan_url: Xchan.shape.url,
  xchan_connurl: Xchan.shape.connurl,
  xchan_follow: Xchan.shape.follow,
  xchan_connpage: Xchan.shape.connpage,
  xchan_name: Xchan.shape.name,
  xchan_network: Xchan.shape.network,
  xchan_instance_url: Xchan.shape.instance_url,
  xchan_flags: Xchan.shape.flags,
  xchan_photo_date: Xchan.shape.photo_date,
  xchan_name_date: Xchan.shape.name_date,
  xchan_hidden: Xchan.shape.hidden,
  xchan_orphan: Xchan.shape.orphan,
  xchan_censored: Xchan.shape.censored,
  xchan_selfcensored: Xchan.shape.selfcensored,
  xchan_system: Xchan.shape.system,
  xchan_pubforum: Xchan.shape.pubforum,
  xchan_deleted: Xchan.shape.deleted,
});

/** An xchan, as portable items carry it. */
export const ShortXchan = z.strictObject({
  name: Xchan.shape.name,
  address: Xchan.shape.address,
  url: Xchan.shape.url,
  network: Xchan.shape.network,
  photo: z
    .strictObject({ mimetype: text("Type of the picture.", "image/png"), src: url("Where it is.", photo("m")) })
    .meta({ description: "The picture, 80 pixels wide." }),
  guid: Xchan.shape.guid,
  guid_sig: Xchan.shape.guid_sig,
  hash: Xchan.shape.hash,
});

/** Native contract 2.4. */
export const Hubloc = z.strictObject({
  hubloc_id: digits("Key on this hub.", "9"),
  hubloc_guid: Xchan.shape.guid,
  hubloc_guid_sig: Xchan.shape.guid_sig,
  hubloc_hash: Xchan.shape.hash,
  hubloc_addr: text("The identity's address at this location.", "alma@hub.example"),
  hubloc_network: Xchan.shape.network,
  hubloc_flags: digits("Bits of old exports."),
  hubloc_status: digits("State in old exports."),
  hubloc_url: url("Address of the hub.", "https://hub.example"),
  hubloc_url_sig: text("Signature of that address by the identity's key.", "q1Zb7Rk"),
  hubloc_host: text("Name of the host.", "hub.example"),
  hubloc_callback: url("Where the hub takes deliveries.", "https://hub.example/post"),
  hubloc_connect: url("Where the identity can be connected with.", "https://hub.example/connect/alma"),
  hubloc_sitekey: text("Public key of the hub, as PEM."),
  hubloc_updated: time("When it was read again."),
  hubloc_connected: unsetTime("When it was reached last."),
  hubloc_primary: flag("It is the identity's primary location.", "1"),
  hubloc_orphancheck: flag("It has to be looked at."),
  hubloc_error: flag("It could not be reached."),
  hubloc_deleted: flag("It is a location no more."),
});

/** A connection: the 24 own fields. */
export const Abook = z.strictObject({
  abook_id: digits("Id of the connection.", "24"),
  abook_account: digits("Account of the owner.", "1"),
  abook_channel: digits("Channel of the owner.", "2"),
  abook_xchan: hash("Hash of the person."),
  abook_my_perms: digits("What the channel lets the person do, as bits.", "218555"),
  abook_their_perms: digits("What the person lets the channel do, as bits.", "218555"),
  abook_closeness: digits("How close the person is, from 0 (closest) to 99.", "80"),
  abook_created: time("When the connection was made."),
  abook_updated: time("When it was changed."),
  abook_connected: unsetTime("When something came from the person last."),
  abook_dob: unsetTime("The person's next birthday."),
  abook_flags: digits("Bits of old exports."),
  abook_blocked: flag("Nothing goes in either direction."),
  abook_ignored: flag("Nothing of theirs is accepted."),
  abook_hidden: flag("Others do not see the connection."),
  abook_archived: flag("It is kept without being used."),
  abook_pending: flag("They have asked, and nobody has answered yet."),
  abook_unconnected: flag("It is no connection: the channel has blocked or muted a stranger."),
  abook_self: flag("It is the channel itself."),
  abook_feed: flag("It is a feed."),
  abook_profile: text("`profile_guid` of the profile that they are shown."),
  abook_incl: text("Rules for posts to accept, one in a line."),
  abook_excl: text("Rules for posts to leave out, one in a line."),
  abook_instance: text("Locations of ours that they are connected with, with commas between them."),
});

/** A connection, joined with its xchan. */
export const Connection = Abook.extend(XchanRecord.shape);

/** Native contract 2.6. */
export const Abconfig = z.strictObject({
  id: digits("Key on this hub.", "301"),
  chan: digits("Id of the channel.", "2"),
  xchan: hash("Hash of the person."),
  cat: text("Family of the entry.", "my_perms"),
  k: text("Its key.", "view_stream"),
  v: text("Its value.", "1"),
});

/** A connection as exports carry it. */
export const ExportedAbook = Abook.extend({ abconfig: z.array(Abconfig).meta({ description: "Its metadata." }) });

/** Native contract 2.7. */
export const Group = z.strictObject({
  id: digits("Id of the group.", "1"),
  hash: text("Its name in access lists, which never changes.", "3b1f7d20Friends"),
  uid: digits("Channel that it belongs to.", "2"),
  visible: flag("Its members may see who is in it."),
  deleted: flag("It has been deleted."),
  gname: text("Its name.", "Friends"),
});

/** Native contract 2.7. */
export const Membership = z.strictObject({
  id: digits("Key on this hub.", "1"),
  uid: digits("Channel that the group belongs to.", "2"),
  gid: digits("Id of the group.", "1"),
  xchan: hash("Hash of the member."),
});

/** Membership, connection and xchan: 4 + 24 + 26 fields (native contract 6.13). */
export const GroupMember = Membership.extend(Abook.shape).extend(XchanRecord.shape);
