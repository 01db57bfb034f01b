import { z } from "zod";
import { digits, flag, hash, jsonText, lists, text, time, unsetTime, url } from "./kinds.ts";
import { ShortXchan } from "./people.ts";

/** Items in their three forms, with what they carry. */

const mid = "https://hub.example/item/5f0c21d9-6f0e-4c3b-9b1d-2a7ae4410c55";
const display = "https://hub.example/display/5f0c21d9-6f0e-4c3b-9b1d-2a7ae4410c55";
const post = "http://activitystrea.ms/schema/1.0/post";
const note = "http://activitystrea.ms/schema/1.0/note";

/** A term, record form. */
export const Term = z.strictObject({
  tid: digits("Key on this hub.", "77"),
  aid: digits("Account that it belongs to.", "1"),
  uid: digits("Channel that it belongs to.", "2"),
  oid: digits("Id of what it marks.", "5120"),
  otype: digits("Kind of what it marks: 1 item, 2 file, 3 profile, 4 channel, 5 object, 6 thing, 7 app.", "1"),
  ttype: digits("Its kind: 1 hashtag, 2 mention, 3 category, 5 folder, 6 saved search, 8 bookmark.", "1"),
  term: text("Its word.", "garden"),
  url: url("Where it leads.", "https://hub.example/search?tag=garden"),
  imgurl: url("A picture of it."),
  term_hash: text("Its hash."),
  parent_hash: text("Hash of the term above it."),
});

/** An item's metadata, record form. */
export const Iconfig = z.strictObject({
  id: digits("Key on this hub.", "12"),
  iid: digits("Id of the item.", "5120"),
  cat: text("Family of the entry.", "system"),
  k: text("Its key.", "WEBPAGE"),
  v: text("Its value.", "about"),
  sharing: flag("It leaves the hub with the item."),
});

/** The 73 fields in the order of the table, and what comes only when there is any. */
export const Item = z.strictObject({
  id: digits("Id of the item on this hub.", "5120"),
  mid: text("Its global message id.", mid),
  aid: digits("Account that this copy belongs to.", "1"),
  uid: digits("Channel that this copy belongs to.", "2"),
  parent: digits("Id of the first item of its thread.", "5120"),
  parent_mid: text("Message id of the first item of its thread.", mid),
  thr_parent: text("Message id of what it answers directly.", mid),
  created: time("When it was written."),
  edited: time("When it was edited."),
  expires: unsetTime("When it is removed."),
  commented: time("When the newest item of its thread was written."),
  received: time("When this hub stored it."),
  changed: time("When something in its thread changed last."),
  comments_closed: unsetTime("When it stops taking comments."),
  owner_xchan: hash("Hash of whose wall the thread is on."),
  author_xchan: hash("Hash of its author."),
  source_xchan: hash("Hash of the original owner, when somebody delivers the thread again.", ""),
  mimetype: text("Content type of its body.", "text/bbcode"),
  title: text("Its title."),
  summary: text("Its content warning, or what an article is about; where there is one.").optional(),
  body: text("What it says, as it was written.", "Good morning"),
  html: text("What it says, as safe HTML.", "Good morning"),
  app: text("The program that wrote it."),
  lang: text("Code of its language, when that is known."),
  revision: digits("How often it was edited."),
  verb: text("What was done, as the URI of a verb.", post),
  obj_type: text("Type of the object, as a URI.", note),
  obj: jsonText("The object, when it is not the item itself."),
  tgt_type: text("Type of the target, as a URI."),
  target: jsonText("The target."),
  layout_mid: text("Message id of the layout of a page."),
  postopts: text("Options of its delivery, with commas between them."),
  route: text("Hashes of those that it came by, with commas between them."),
  llink: url("Its page on this hub.", display),
  plink: url("Its permalink.", mid),
  resource_id: text("Id of the record that it stands for."),
  resource_type: text("Kind of that record: `photo`, `event`, `attach`, `nwiki`, `nwikipage`."),
  attach: jsonText("Its attachments."),
  sig: text("Signature of its body by its author.", "kR2xJd7u"),
  fed_meta: text("Signatures for other networks, as JSON."),
  location: text("Where it was written, in words."),
  coord: text("Where it was written: latitude and longitude."),
  public_policy: text("Its scope, when not everybody may read it."),
  comment_policy: text("Who may comment.", "contacts"),
  ...lists,
  item_restrict: digits("Not used."),
  item_flags: digits("Not used."),
  item_private: digits("1 for a restricted audience, 2 for an imported direct message."),
  item_origin: flag("It was written on this hub.", "1"),
  item_unseen: flag("The channel's owner has not seen it yet."),
  item_starred: flag("The channel's owner has given it a star."),
  item_uplink: flag("The channel delivers its thread for somebody else."),
  item_consensus: flag("It offers to agree, disagree and abstain."),
  item_wall: flag("It belongs to the channel's own wall.", "1"),
  item_thread_top: flag("It is the first of its thread.", "1"),
  item_notshown: flag("It is only counted, not shown by itself."),
  item_nsfw: flag("It is not for every eye."),
  item_relay: flag("The owner of the thread has to pass it on."),
  item_mentionsme: flag("It mentions the channel."),
  item_nocomment: flag("It takes no comments."),
  item_obscured: flag("Always 0."),
  item_verified: flag("Its signature was checked here.", "1"),
  item_retained: flag("It never expires."),
  item_rss: flag("It comes from a feed."),
  item_deleted: flag("It has been deleted."),
  item_type: digits("Its kind; 0 is part of the conversation, other kinds are pages."),
  item_hidden: flag("It is kept out of all lists."),
  item_unpublished: flag("It is part of no stream."),
  item_delayed: flag("It waits for its date."),
  item_pending_remove: flag("What is left of it may be removed."),
  item_blocked: digits("4 while it waits for moderation, 2 when it is blocked, 8 when it is spam."),
  term: z.array(Term).optional().meta({ description: "Its tags, if it has any." }),
  iconfig: z.array(Iconfig).optional().meta({ description: "Its metadata, if it has any." }),
});

/** A term, portable form. */
export const Tag = z.strictObject({
  tag: text("Its word.", "garden"),
  url: url("Where it leads.", "https://hub.example/search?tag=garden"),
  type: text("Its kind, such as `hashtag`, `mention`, `category`.", "hashtag"),
});

/** Metadata, portable form. */
export const Meta = z.strictObject({
  family: text("Family of the entry.", "system"),
  key: text("Its key.", "WEBPAGE"),
  value: text("Its value.", "about"),
  sharing: z.literal([0, 1]).meta({ description: "1 if it leaves the hub with the item.", examples: [0] }),
});

/** An attachment, as portable items carry it. */
export const Attachment = z.strictObject({
  href: url("Where it is.", "https://hub.example/attach/7d93b1e4"),
  length: digits("How many bytes it has.", "4102"),
  type: text("Its type.", "text/plain"),
  title: text("Its name.", "notes.txt"),
  revision: digits("Its revision."),
});

const activityObject = (description: string) => z.record(z.string(), z.unknown()).optional().meta({ description });

/** An item, short form. */
export const ShortItem = z.strictObject({
  type: z.literal("activity").meta({ description: "Always `activity`." }),
  encoding: z.literal("zot").meta({ description: "Always `zot`." }),
  message_id: text("Its global message id.", mid),
  message_top: text("Message id of the first item of its thread.", mid),
  message_parent: text("Message id of what it answers directly.", mid),
  created: Item.shape.created,
  edited: Item.shape.edited,
  expires: time("When it is removed.", "0000-00-00 00:00:00"),
  commented: Item.shape.commented,
  mimetype: Item.shape.mimetype,
  title: Item.shape.title,
  summary: Item.shape.summary,
  body: Item.shape.body,
  app: Item.shape.app,
  verb: Item.shape.verb,
  object_type: Item.shape.obj_type,
  target_type: Item.shape.tgt_type,
  permalink: Item.shape.plink,
  location: Item.shape.location,
  longlat: Item.shape.coord,
  signature: Item.shape.sig,
  route: Item.shape.route,
  owner: ShortXchan,
  author: ShortXchan,
  object: activityObject("The object, when it is not the item itself."),
  target: activityObject("The target, if there is one."),
  attach: z.array(Attachment).optional().meta({ description: "Its attachments, if it has any." }),
  flags: z
    .array(z.enum(["deleted", "hidden", "notshown", "thread_parent", "nsfw", "consensus", "private"]))
    .min(1)
    .optional()
    .meta({ description: "What is true of it, if anything is.", examples: [["thread_parent"]] }),
  comments_closed: time("When it stops taking comments, if it does.").optional(),
  public_scope: text("Who may read it.", "public"),
  comment_scope: text("Who may comment; `none` is nobody.", "contacts"),
  tags: z.array(Tag).optional().meta({ description: "Its tags, if it has any." }),
  meta: z.array(Meta).optional().meta({ description: "Its metadata, if it has any." }),
  fed_meta: text("Signatures for other networks, if there are any.").optional(),
  id: Item.shape.id,
  parent: Item.shape.parent,
  uid: Item.shape.uid,
  llink: Item.shape.llink,
  item_unseen: Item.shape.item_unseen,
  item_starred: Item.shape.item_starred,
  item_mentionsme: Item.shape.item_mentionsme,
  resource_type: Item.shape.resource_type,
  resource_id: Item.shape.resource_id,
});

/** An item, full form. */
export const FullItem = ShortItem.extend({
  ...lists,
  revision: Item.shape.revision,
  layout_mid: Item.shape.layout_mid,
  postopts: Item.shape.postopts,
  item_origin: Item.shape.item_origin,
  item_uplink: Item.shape.item_uplink,
  item_consensus: Item.shape.item_consensus,
  item_wall: Item.shape.item_wall,
  item_thread_top: Item.shape.item_thread_top,
  item_notshown: Item.shape.item_notshown,
  item_nsfw: Item.shape.item_nsfw,
  item_relay: Item.shape.item_relay,
  item_nocomment: Item.shape.item_nocomment,
  item_obscured: Item.shape.item_obscured,
  item_verified: Item.shape.item_verified,
  item_retained: Item.shape.item_retained,
  item_rss: Item.shape.item_rss,
  item_deleted: Item.shape.item_deleted,
  item_type: Item.shape.item_type,
  item_hidden: Item.shape.item_hidden,
  item_unpublished: Item.shape.item_unpublished,
  item_delayed: Item.shape.item_delayed,
  item_pending_remove: Item.shape.item_pending_remove,
  item_blocked: Item.shape.item_blocked,
});
