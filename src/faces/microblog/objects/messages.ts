import { z } from "zod";
import { always, bit, count, date, digits, id, stored, text, url, words } from "./kinds.ts";
import { Entities, User } from "./status.ts";

/** Direct messages and notices. */

/** A direct message; the last part are the alias fields of microblog contract 2.4. */
export const Message = z.strictObject({
  id: id("Id of the message.", 44),
  id_str: digits("The same as text.", "44"),
  sender_id: count("Id of who sent it; 0 if nobody knows.", 17),
  recipient_id: count("Id of who got it; 0 if nobody knows.", 23),
  sender_screen_name: text("Nick of who sent it.", "ann"),
  recipient_screen_name: text("Nick of who got it.", "bob"),
  sender: User.optional().meta({ description: "Who sent it; left out with `getUserObjects` false." }),
  recipient: User.optional().meta({ description: "Who got it; left out with `getUserObjects` false." }),
  text: text("What it says; with its title first unless `getText` is there.", "Come at four."),
  title: text("Its title, if `getText` is there."),
  created_at: date("When it was written."),
  svc_seen: bit("The caller has seen it."),
  svc_parent_uri: words("Its conversation.", "5b7e0c"),
  entities: Entities.optional().meta({ description: "What is named in the text; only with `include_entities`." }),
  friendica_seen: bit("The same as `svc_seen`.").optional(),
  friendica_parent_uri: words("The same as `svc_parent_uri`.", "5b7e0c").optional(),
});

/** Microblog contract 5.3 and 7.18. */
export const SoftResult = z.strictObject({
  result: z.enum(["ok", "error"]).meta({ description: "How it went.", examples: ["ok"] }),
  message: words("The same in words.", "message deleted"),
});

/** Microblog contract 9.6. */
export const MessageSearch = z.strictObject({
  success: z.boolean().meta({ description: "Something was found.", examples: [true] }),
  search_results: z
    .union([z.array(Message), z.literal("nothing found")])
    .meta({ description: "The messages, or that there are none." }),
});

/** Microblog contract 7.7. */
export const Notice = z.strictObject({
  id: id("Id of the notice.", 31),
  type: z.literal([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 32_768]).meta({
    description: "Its kind: 1 request, 4 post on the wall, 8 comment, 16 message, 128 mention, 1024 reaction.",
    examples: [8],
  }),
  name: words("Name of the person that it is about.", "Bob"),
  url: url("Page of the person.", "https://hub.example/channel/bob"),
  photo: url("Picture of the person.", "https://hub.example/photo/profile/m/3"),
  date: stored("When it was made."),
  timestamp: id("The same in seconds since 1970.", 1772366400),
  date_rel: z
    .string()
    .regex(/^(less than a second|\d+ (year|month|week|day|hour|minute|second)s?) ago$/)
    .meta({ description: "The same in words.", examples: ["1 hour ago"] }),
  msg: words("What it says, as BBCode.", "[url=https://hub.example/channel/bob]Bob[/url] commented on your post"),
  msg_html: words("What it says, as HTML.", '<a href="https://hub.example/channel/bob">Bob</a> commented on your post'),
  msg_plain: z
    .string()
    .regex(/^[^\n]+$/)
    .meta({ description: "Its first line, as plain text.", examples: ["Bob commented on your post"] }),
  link: url("The page that it leads to.", "https://hub.example/display/5f0c21d9"),
  seen: bit("The caller has seen it."),
  iid: count("Id of the status that it is about, or 0.", 813),
  parent: count("Id of the first status of its conversation, or 0.", 812),
  otype: z.enum(["item", "intro", "mail"]).meta({ description: "What it is about.", examples: ["item"] }),
  verb: url("What was done, as the URI of a verb.", "http://activitystrea.ms/schema/1.0/post"),
  uid: id("Id of the caller's channel.", 2),
  name_cache: words("The name, for HTML.", "Bob"),
  msg_cache: words("The plain text with `{0}` in place of the name.", "{0} commented on your post"),
  hash: words("A text of its own.", "c05a2286f"),
});

/** Microblog contract 7.18. */
export const Ok = always("ok", "It worked.");
export const Success = always("success", "It worked.");
