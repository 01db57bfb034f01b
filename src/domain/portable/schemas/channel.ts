import { z } from "zod";
import { digits, flag, jsonText, list, text, time, unsetTime, url, hash, lists } from "./kinds.ts";
import { Term } from "./items.ts";
import { XchanRecord } from "./people.ts";

/** The channel with its settings, profiles and small things. */

/** Native contract 2.15. */
export const Config = z.strictObject({
  id: digits("Key on this hub.", "11"),
  uid: digits("Channel that it belongs to.", "2"),
  cat: text("Family of the setting.", "perm_limits"),
  k: text("Its key.", "view_stream"),
  v: text("Its value.", "1"),
  updated: time("When it was set."),
});

const beforeKeys = z.strictObject({
  channel_id: digits("Id of the channel; `uid` elsewhere.", "2"),
  channel_account_id: digits("Account that it belongs to.", "1"),
  channel_primary: flag("This hub is its primary location.", "1"),
  channel_name: text("Its name.", "Alma"),
  channel_address: text("Its nick.", "alma"),
  channel_guid: text("Its global id.", "u7Kd-9ePzR1b"),
  channel_guid_sig: text("Signature of the guid by its key.", "tH4sWq8YcNe"),
  channel_hash: hash("Its hash, the key of its identity everywhere."),
  channel_timezone: text("Its time zone.", "Europe/Oslo"),
  channel_location: text("What `location` usually says in its posts."),
  channel_theme: text("Theme of its pages."),
  channel_startpage: text("Page that it starts with."),
  channel_pubkey: text("Its public key, as PEM.", "-----BEGIN PUBLIC KEY-----\n…"),
});

const afterKeys = z.strictObject({
  channel_notifyflags: digits("Kinds of notices that are mailed too, as bits.", "65535"),
  channel_pageflags: digits(
    "What is true of it, as bits: 1 hidden, 2 connects by itself, 4 application, 32 for adults.",
  ),
  channel_dirdate: unsetTime("When directories were told last."),
  channel_lastpost: unsetTime("When it posted last."),
  channel_deleted: unsetTime("When it was removed."),
  channel_active: unsetTime("When it did something last."),
  channel_max_anon_mail: digits("Not used.", "10"),
  channel_max_friend_req: digits("Not used.", "10"),
  channel_expire_days: digits("Days after which other people's threads are dropped; 0 is never."),
  channel_passwd_reset: text("Always empty."),
  channel_default_group: text("Hash of the group that new connections join."),
  channel_allow_cid: list("Hashes of the people who usually see what it posts."),
  channel_allow_gid: list("Hashes of the groups that usually see what it posts."),
  channel_deny_cid: list("Hashes of the people who usually do not see it."),
  channel_deny_gid: list("Hashes of the groups that usually do not see it."),
  channel_removed: flag("It has been removed."),
  channel_system: flag("It is the channel of the site."),
  channel_moved: text("Address of the hub that it has moved to."),
});

/** The channel without the private key, joined with the xchan. */
export const Channel = beforeKeys.extend(afterKeys.shape).extend(XchanRecord.shape);

const limit = (what: string): z.ZodString => digits(`Whom it lets ${what}, as a number of permission limits.`, "1");

/** The channel as `channel/export/basic` has it. */
export const ExportedChannel = beforeKeys
  .extend({
    channel_prvkey: text("Its private key, as PEM.", "-----BEGIN PRIVATE KEY-----\n…"),
    channel_ed25519_pubkey: text("Its key for proofs, Ed25519, as PEM.", "-----BEGIN PUBLIC KEY-----\n…"),
    channel_ed25519_prvkey: text("The private half of that.", "-----BEGIN PRIVATE KEY-----\n…"),
  })
  .extend(afterKeys.shape)
  .extend({
    channel_r_stream: limit("read its posts"),
    channel_r_profile: limit("see its profile"),
    channel_r_abook: limit("see its connections"),
    channel_r_storage: limit("see its files"),
    channel_r_pages: limit("see its pages"),
    channel_w_stream: limit("send it posts"),
    channel_w_wall: limit("post on its wall"),
    channel_w_comment: limit("comment"),
    channel_w_mail: limit("write it messages"),
    channel_w_like: limit("like"),
    channel_w_tagwall: limit("post by mentioning it"),
    channel_w_chat: limit("chat"),
    channel_w_storage: limit("change its files"),
    channel_w_pages: limit("change its pages"),
    channel_a_republish: limit("publish its posts again"),
    channel_a_delegate: limit("act for it"),
    perm_limits: z.array(Config).meta({ description: "The same as settings." }),
  });

/** Native contract 2.15. */
export const Profile = z.strictObject({
  id: digits("Id of the profile on this hub.", "2"),
  aid: digits("Account that it belongs to.", "1"),
  uid: digits("Channel that it belongs to.", "2"),
  profile_guid: text("Its global id.", "91e0f4"),
  profile_name: text("What its owner calls it.", "default"),
  is_default: flag("It is what everybody sees.", "1"),
  hide_friends: flag("It does not show connections."),
  fullname: text("The name.", "Alma"),
  pdesc: text("A few words about the person."),
  chandesc: text("More words about the channel."),
  dob: text("Day of birth; its year may be `0000`.", "0000-00-00"),
  dob_tz: text("Time zone of the day of birth."),
  address: text("Street and number."),
  locality: text("Town.", "Oslo"),
  region: text("Region."),
  postal_code: text("Postal code."),
  country_name: text("Country."),
  hometown: text("Where the person is from."),
  gender: text("Gender."),
  marital: text("Whether the person lives with somebody."),
  partner: text("With whom."),
  sexual: text("Sexual preference."),
  politic: text("Political views."),
  religion: text("Religion."),
  howlong: unsetTime("With the partner since."),
  keywords: text("Keywords, with commas or spaces between them."),
  likes: text("What the person likes."),
  dislikes: text("What the person dislikes."),
  about: text("About the person."),
  summary: text("A summary."),
  music: text("Music."),
  book: text("Books."),
  tv: text("Television."),
  film: text("Films."),
  interest: text("Interests."),
  romance: text("Romance."),
  employment: text("Work."),
  education: text("Education."),
  contact: text("How to reach the person."),
  channels: text("Other channels."),
  homepage: text("Home page."),
  photo: url("Its picture, 300 pixels wide."),
  thumb: url("Its picture, 80 pixels wide."),
  publish: flag("It is listed in the directory."),
  profile_vcard: text("The same as a vCard."),
});

/** Native contract 2.15. */
export const App = z.strictObject({
  id: digits("Key on this hub.", "3"),
  app_channel: digits("Channel that it belongs to.", "2"),
  app_id: text("Its global id."),
  app_sig: text("Its signature."),
  app_page: text("Its page."),
  app_requires: text("Who can use it, as rules with commas between them."),
  app_price: text("Its price."),
  app_version: text("Its version."),
  app_plugin: text("The extension that it belongs to."),
  app_author: text("Hash of who made it."),
  app_addr: text("Address of who made it."),
  app_name: text("Its name.", "Tuner"),
  app_desc: text("What it does."),
  app_url: url("Where it leads.", "https://tuner.example"),
  app_photo: text("Its icon, as an address or `icon:` with a name."),
  app_options: digits("Where it is shown, as bits."),
  app_deleted: flag("It has been deleted."),
  app_system: flag("It is one of the program's own."),
  app_created: time("When it was made."),
  app_edited: time("When it was changed."),
  term: z.array(Term).meta({ description: "Its categories." }),
});

/** Native contract 2.15. */
export const Thing = z.strictObject({
  obj_id: digits("Key on this hub.", "4"),
  obj_page: text("Id of the profile that shows it."),
  obj_verb: text("What one does with it.", "has"),
  obj_type: digits("Its kind.", "6"),
  obj_obj: text("Its global id."),
  obj_channel: digits("Channel that it belongs to.", "2"),
  obj_term: text("Its name.", "bicycle"),
  obj_url: url("Where it leads."),
  obj_imgurl: url("A picture of it."),
  obj_created: time("When it was made."),
  obj_edited: time("When it was changed."),
  obj_quantity: digits("How many there are.", "1"),
  ...lists,
  obj_baseurl: url("Address of the hub that it comes from.", "https://hub.example"),
});

/** Native contract 2.15. */
export const ProfileLike = z.strictObject({
  id: digits("Key on this hub.", "5"),
  channel_id: digits("Channel that it belongs to.", "2"),
  liker: hash("Hash of who likes."),
  likee: hash("Hash of who is liked."),
  iid: digits("Id of the item that says so."),
  i_mid: text("Message id of the item that says so."),
  verb: text("What was done, as the URI of a verb.", "like"),
  target_type: text("Kind of what is liked.", "profile"),
  target_id: text("Id of what is liked.", "91e0f4"),
  target: jsonText("What is liked."),
});

/** Native contract 2.15. */
export const FollowedTag = z.strictObject({
  term: text("The hashtag, without its sign.", "garden"),
  created: time("Since when it is followed."),
});

/** Native contract 2.15. */
export const Filter = z.strictObject({
  title: text("Its name.", "Sports"),
  context: text("Where it counts, with spaces between.", "home public"),
  action: text("What it does: `warn`, `hide` or `blur`.", "hide"),
  ends: time("When it ends; unset for never."),
  words: z
    .array(
      z.strictObject({
        phrase: text("The words.", "football"),
        whole_words: text("1: no part of a longer word.", "1"),
      }),
    )
    .meta({ description: "What it looks for." }),
});

/** Native contract 2.15. */
export const Draft = z.strictObject({
  name: text("What its form calls it.", "7d0c2f5e-autumn"),
  place: text("Path of the page whose form it is.", "/network"),
  fields: z
    .array(
      z.strictObject({ name: text("Name of the field.", "body"), value: text("What was typed.", "Half a thought") }),
    )
    .meta({ description: "What was typed into the form." }),
  changed: time("Its last change."),
});

/** Native contract 2.15. */
export const Guest = z.strictObject({
  atoken_id: digits("Key on this hub.", "6"),
  atoken_aid: digits("Account that it belongs to.", "1"),
  atoken_uid: digits("Channel that lets the guest in.", "2"),
  atoken_name: text("Name of the guest.", "Aunt Agda"),
  atoken_token: text("What the guest shows to be let in.", "k3Jd82"),
  atoken_expires: unsetTime("Until when."),
  atoken_guid: text("What access lists call the guest, where that is not the name.").optional(),
});

/** Native contract 2.15. */
export const Chatroom = z.strictObject({
  cr_id: digits("Key on this hub.", "7"),
  cr_aid: digits("Account that it belongs to.", "1"),
  cr_uid: digits("Channel that it belongs to.", "2"),
  cr_name: text("Its name.", "Rehearsal"),
  cr_created: time("When it was made."),
  cr_edited: time("When it was changed."),
  cr_expire: digits("Minutes after which a line is gone; 0 is never.", "120"),
  ...lists,
});
