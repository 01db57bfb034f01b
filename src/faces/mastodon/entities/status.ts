import { z } from "zod";
import { Account } from "./account.ts";
import { count, datetime, empty, id, oneOf, orNull, text, truth, url, words } from "./kinds.ts";

/** Posts (mastodon contract 11.3 to 11.9). */

/** Mastodon contract 11.4. */
export const Mention = z.strictObject({
  id: id("Id of the person."),
  username: words("Nick.", "bob"),
  acct: words("Nick of somebody of this hub, else the whole address.", "bob"),
  url: url("Page of the person, as the text links to it.", "https://hub.example/channel/bob"),
});

const size = z.strictObject({
  width: z
    .int()
    .positive()
    .meta({ description: "Pixels from side to side.", examples: [1024] }),
  height: z
    .int()
    .positive()
    .meta({ description: "Pixels from top to bottom.", examples: [768] }),
  size: words("Both.", "1024x768"),
  aspect: z
    .number()
    .positive()
    .meta({ description: "The one by the other.", examples: [1.333] }),
});

/** Mastodon contract 11.5. */
export const MediaAttachment = z.strictObject({
  id: id("Id of the file."),
  type: oneOf(["image", "video", "audio", "unknown"], "What it is."),
  url: url("Where it is.", "https://hub.example/photo/6c2f80b5-0.jpg"),
  preview_url: orNull(z.url(), "A small version, or the poster of a film."),
  remote_url: orNull(z.url(), "Where it is elsewhere, when it is not of this hub."),
  preview_remote_url: z.null().meta({ description: "Always null." }),
  text_url: z.null().meta({ description: "Always null." }),
  meta: orNull(z.strictObject({ original: size.meta({ description: "Its size." }) }), "What is known of its size."),
  description: orNull(z.string(), "What is to be seen, in words."),
  blurhash: orNull(z.string(), "What it looks like before it is there."),
});

const Tag = z.strictObject({
  name: words("The word without its sign.", "tea"),
  url: url("Where the hub looks for it.", "https://hub.example/search?q=%23tea"),
});

export const Poll = z.strictObject({
  id: id("Id of the post."),
  expires_at: orNull(z.string(), "When it ends."),
  expired: truth("It has ended."),
  multiple: truth("More than one option may be chosen."),
  votes_count: count("How many votes."),
  voters_count: orNull(z.int(), "How many people voted, where that is known."),
  options: z
    .array(z.strictObject({ title: words("What can be chosen.", "Tea"), votes_count: count("How often it was.") }))
    .meta({ description: "The options." }),
  emojis: empty("Always empty."),
  voted: truth("The caller has voted, or it is the caller's own.").optional(),
  own_votes: z
    .array(z.int())
    .optional()
    .meta({ description: "Places of the options that the caller has chosen.", examples: [[0]] }),
});

const fields = {
  id: id("Id of the post, by the copy that the caller has or named."),
  uri: words("Name of the post among servers.", "https://hub.example/item/5f0c21d9"),
  url: orNull(z.url(), "Its page."),
  created_at: datetime("When it was written."),
  edited_at: orNull(z.string(), "When it was changed, if it was."),
  account: Account.meta({ description: "Who wrote it, or shared it." }),
  content: text("What it says, as HTML.", "<p>Hello</p>"),
  visibility: oneOf(["public", "unlisted", "private", "direct"], "For whom it is."),
  sensitive: truth("It is not for every eye."),
  spoiler_text: text("Its content warning."),
  media_attachments: z.array(MediaAttachment).meta({ description: "Its pictures and files." }),
  application: orNull(
    z.strictObject({ name: words("Name.", "Crow"), website: orNull(z.string(), "Page.") }),
    "The program that wrote it.",
  ),
  mentions: z.array(Mention).meta({ description: "Whom it names." }),
  tags: z.array(Tag).meta({ description: "Its hashtags." }),
  emojis: empty("Always empty."),
  reblogs_count: count("How many have shared it."),
  favourites_count: count("How many like it."),
  replies_count: count("How many comments its thread has, of the first post of one."),
  quotes_count: count("Always 0: not counted."),
  in_reply_to_id: orNull(z.string(), "Id of the post that it answers."),
  in_reply_to_account_id: orNull(z.string(), "Id of whom it answers."),
  poll: orNull(Poll, "The poll that it is."),
  card: z.null().meta({ description: "Always null." }),
  language: orNull(z.string(), "Code of its language."),
  favourited: truth("The caller likes it.").optional(),
  reblogged: truth("The caller has shared it.").optional(),
  bookmarked: truth("The caller has starred it.").optional(),
  muted: truth("The caller wants to hear no more of its thread.").optional(),
  pinned: truth("It stands on top of the caller's page; only of the caller's own posts.").optional(),
  filtered: empty("Always empty.").optional(),
  text: text("What was typed; only of a post that was deleted.").optional(),
  local_only: truth("It is for people of this hub alone."),
  hubbub: z
    .strictObject({
      title: text("Its title."),
      thread: id("Id of the first post of its thread."),
    })
    .meta({ description: "What other servers have no field for." }),
};

/** Mastodon contract 11.3. */
export const Status = z.strictObject({
  ...fields,
  get reblog(): z.ZodNullable<z.ZodType> {
    return Status.nullable().meta({
      description: "What it shares without words of its own.",
      examples: [null],
    }) as z.ZodNullable<z.ZodType>;
  },
});

/** Mastodon contract 11.10. */
export const StatusEdit = z.strictObject({
  content: text("What it said, as HTML.", "<p>Hello</p>"),
  spoiler_text: text("Its content warning."),
  sensitive: truth("It was not for every eye."),
  created_at: datetime("From when on it said so."),
  account: Account.meta({ description: "Who wrote it." }),
  poll: z
    .strictObject({ options: z.array(z.strictObject({ title: words("What can be chosen.", "Tea") })) })
    .optional()
    .meta({ description: "The poll that it is." }),
  media_attachments: z.array(MediaAttachment).meta({ description: "Its pictures and files." }),
  emojis: empty("Always empty."),
});

/** Mastodon contract 11.11. */
export const StatusSource = z.strictObject({
  id: id("Id of the post."),
  text: text("What was typed."),
  spoiler_text: text("Its content warning."),
});

/** Mastodon contract 11.9. */
export const Context = z.strictObject({
  ancestors: z.array(Status).meta({ description: "What it answers, the first post of the thread first." }),
  descendants: z.array(Status).meta({ description: "What answers it, each before its own answers." }),
});
