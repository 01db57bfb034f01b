import { z } from "zod";
import { digits, flag, hash, lists, text, time, unsetTime, url } from "./kinds.ts";
import { Attachment } from "./items.ts";
import { ShortXchan } from "./people.ts";

/** Messages, events and menus. */

/** A direct message, portable form. */
export const Mail = z.strictObject({
  type: z.literal("mail").meta({ description: "Always `mail`." }),
  encoding: z.literal("zot").meta({ description: "Always `zot`." }),
  message_id: text("Its message id.", "a91c"),
  message_parent: text("Message id of the first of its conversation.", "a91c"),
  created: time("When it was written."),
  expires: unsetTime("When it is removed."),
  title: text("Its title.", "Tea"),
  body: text("What it says; empty if it was taken back.", "Come at four."),
  from: ShortXchan,
  to: ShortXchan,
  also_to: z.array(ShortXchan).optional().meta({ description: "Others who got it; left out where nobody else did." }),
  attach: z.array(Attachment).optional().meta({ description: "Its attachments, if it has any." }),
  flags: z
    .array(z.enum(["recalled", "deleted", "replied", "isreply", "seen"]))
    .meta({ description: "What is true of it.", examples: [["seen"]] }),
  conv_guid: text("Its conversation.", "5b7e"),
  fed_meta: text("Signatures for other networks, if there are any.").optional(),
});

/** A conversation. */
export const Conversation = z.strictObject({
  id: digits("Key on this hub.", "8"),
  uid: digits("Channel that it belongs to.", "2"),
  guid: text("Its global id.", "5b7e"),
  recips: text("Addresses of the two sides, with a semicolon between them.", "alma@hub.example;bob@hub.example"),
  creator: text("Address of who began it.", "alma@hub.example"),
  created: time("When it began."),
  updated: time("When something came to it last."),
  subject: text("Its subject.", "Tea"),
});

/** A notice. */
export const Notice = z.strictObject({
  id: digits("Key on this hub.", "31"),
  hash: text("Its global id.", "9c".repeat(32)),
  xname: text("Name of who caused it.", "Bob"),
  url: url("Their page.", "https://hub.example/channel/bob"),
  photo: url("Their picture.", "https://hub.example/photo/profile/s/3"),
  created: time("When it came."),
  msg: text("A sentence in bbcode.", "[zrl=https://hub.example/channel/bob]Bob[/zrl] mentioned you"),
  aid: digits("Account that it belongs to.", "1"),
  uid: digits("Channel that it belongs to.", "2"),
  link: url("What it is about.", "https://hub.example/display/7e3f"),
  parent: text("Mid of the thread.", "https://hub.example/item/7e3f"),
  seen: flag("It has been looked at."),
  ntype: digits("Its kind, one of the bits of native contract 2.16.", "128"),
  verb: text("URI of what was done.", "http://activitystrea.ms/schema/1.0/post"),
  otype: text("What kind of thing it is about.", "item"),
  message_id: text("Mid of that thing; empty when it is gone, or has none.", "https://hub.example/item/7e3f"),
  kind: text("What was done; left out for notices of other programs.", "mention").optional(),
  actor: hash("Hash of who did it.").optional(),
  count: digits("How often, for comments that wait; else 1.", "1").optional(),
});

/** An event. */
export const Event = z.strictObject({
  id: digits("Id of the event on this hub.", "13"),
  aid: digits("Account that it belongs to.", "1"),
  uid: digits("Channel that it belongs to.", "2"),
  cal_id: digits("Its calendar; 0 is the usual one."),
  event_xchan: hash("Hash of who made it."),
  event_hash: text("Its global id.", "e41a9c02@hub.example"),
  created: time("When it was made."),
  edited: time("When it was changed."),
  dtstart: time("When it begins.", "2026-03-08 18:00:00"),
  dtend: time("When it ends.", "2026-03-08 20:00:00"),
  summary: text("What it is called.", "Rehearsal"),
  description: text("What it is about."),
  location: text("Where it is."),
  etype: text("`event`, `birthday` or `task`.", "event"),
  nofinish: flag("It has no end."),
  adjust: flag("Its times are UTC, and shown in the reader's zone.", "1"),
  dismissed: flag("Its owner does not want to see it."),
  ...lists,
  event_status: text("State of a task."),
  event_status_date: unsetTime("When a task got this state."),
  event_percent: digits("How much of a task is done."),
  event_sequence: digits("How often it was changed, for calendars."),
  event_priority: digits("How urgent it is, for calendars."),
  event_repeat: text("How it repeats."),
  event_vdata: text("What it came from, as iCalendar."),
});

/** An entry of a menu. */
export const MenuItem = z.strictObject({
  link: text(
    "Where it leads; `[channelurl]`, `[pageurl]`, `[cloudurl]`, `[baseurl]` stand for addresses.",
    "[pageurl]/about",
  ),
  desc: text("What it says.", "About"),
  order: digits("Its place.", "1"),
  flags: z
    .array(z.enum(["zid", "new-window", "chatroom"]))
    .meta({ description: "What is true of it.", examples: [[]] }),
});

/** A menu, portable form. */
export const Menu = z.strictObject({
  type: z.literal("menu").meta({ description: "Always `menu`." }),
  pagetitle: text("Its name.", "main"),
  desc: text("Its title.", "Main"),
  created: time("When it was made."),
  edited: time("When it was changed."),
  baseurl: url("Address of the hub that it comes from.", "https://hub.example"),
  flags: z
    .array(z.enum(["bookmark", "system"]))
    .optional()
    .meta({ description: "What is true of it, if anything is." }),
  items: z.array(MenuItem).meta({ description: "Its entries." }),
});
