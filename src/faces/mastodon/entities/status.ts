import { z } from "zod";
import { Account } from "./account.ts";
import { CustomEmoji } from "./custom-emoji.ts";
import { FilterResult } from "./filter.ts";
import { count, datetime, empty, id, oneOf, orNull, text, truth, url, words } from "./kinds.ts";

/** Posts (mastodon contract 11.3 to 11.9). */

/** Mastodon contract 11.4. */
export const Mention = z.strictObject({
  id: id("Id of the person."),
  username: words("Nick.", "bob"),
  acct: words("Nick of somebody of this hub, else the whole address.", "bob"),
  url: url("Page of the person, as the text links to it.", "https://hub.example/channel/bob"),
});

const listedGroups = (description: string) =>
  z.array(z.strictObject({ id: id("Id of the group."), title: text("Its name.") })).meta({ description });
const listedPeople = (description: string) =>
  z.array(z.strictObject({ id: id("Id of the person."), acct: text("Their address.") })).meta({ description });

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
  meta: orNull(
    z.strictObject({
      original: size.optional().meta({ description: "Its size." }),
      small: size.optional().meta({ description: "The size of its small version." }),
      focus: z
        .strictObject({
          x: z.number().meta({ description: "From the left, -1, to the right, 1.", examples: [0.5] }),
          y: z.number().meta({ description: "From below, -1, to above, 1.", examples: [-0.25] }),
        })
        .optional()
        .meta({ description: "The point that stays in sight where it is cut." }),
    }),
    "What is known of its size.",
  ),
  description: orNull(z.string(), "What is to be seen, in words."),
  blurhash: orNull(z.string(), "What it looks like before it is there."),
});

const Tag = z.strictObject({
  name: words("The word without its sign.", "tea"),
  url: url("Where the hub looks for it.", "https://hub.example/tags/tea"),
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

/** Mastodon contract 11.7. */
export const PreviewCard = z.strictObject({
  url: url("Where the page is.", "https://example.org/tea"),
  title: text("What it is called."),
  description: text("What it is about."),
  type: oneOf(["link", "video"], "What it is."),
  language: orNull(z.string(), "Code of its language."),
  authors: z
    .array(
      z.strictObject({
        name: text("Name."),
        url: text("Always empty."),
        account: z.null().meta({ description: "Null." }),
      }),
    )
    .meta({ description: "Who wrote it." }),
  author_name: text("Who wrote it."),
  author_url: text("Always empty."),
  provider_name: text("Name of the site."),
  provider_url: url("Where the site is.", "https://example.org"),
  html: text("What plays it, of films."),
  width: count("Pixels of its picture from side to side."),
  height: count("Pixels of its picture from top to bottom."),
  image: orNull(z.url(), "Its picture, at this hub."),
  image_description: text("What its picture shows."),
  embed_url: text("The page in which it is played, of films."),
  blurhash: orNull(z.string(), "What its picture looks like before it is there."),
  published_at: z.null().meta({ description: "Always null." }),
  missing_attribution: z.null().meta({ description: "Always null." }),
});

const quoteStates = ["accepted", "unauthorized", "deleted", "blocked_account", "muted_account"] as const;

/** Mastodon contract 11.8. */
export const QuoteApproval = z.strictObject({
  automatic: z
    .array(oneOf(["public", "followers"], "Who."))
    .meta({ description: "Who may quote it.", examples: [["public"]] }),
  manual: empty("Always empty."),
  current_user: oneOf(["automatic", "denied"], "May the caller quote it?"),
});

/** The same within a post that is quoted itself. */
export const ShallowQuote = z.strictObject({
  state: oneOf(quoteStates, "Is it shown, and if not, why?"),
  quoted_status_id: orNull(z.string(), "Id of the post."),
});

export const Quote = z.strictObject({
  state: oneOf(quoteStates, "Is it shown, and if not, why?"),
  get quoted_status(): z.ZodNullable<z.ZodType> {
    return QuotedStatus.nullable().meta({ description: "The post.", examples: [null] }) as z.ZodNullable<z.ZodType>;
  },
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
  emojis: z.array(CustomEmoji).meta({ description: "The pictures for codes in what it says.", examples: [[]] }),
  reblogs_count: count("How many have shared it."),
  favourites_count: count("How many like it."),
  replies_count: count("How many comments its thread has, of the first post of one; of a comment how many answers."),
  quotes_count: count("How many public posts quote it."),
  in_reply_to_id: orNull(z.string(), "Id of the post that it answers."),
  in_reply_to_account_id: orNull(z.string(), "Id of whom it answers."),
  poll: orNull(Poll, "The poll that it is."),
  card: orNull(PreviewCard, "What the page says of itself to which it leads."),
  quote: orNull(Quote, "What it quotes with words of its own."),
  quote_id: orNull(z.string(), "Id of the post that it quotes, if the caller may see that."),
  quote_approval: QuoteApproval,
  language: orNull(z.string(), "Code of its language."),
  favourited: truth("The caller likes it.").optional(),
  reblogged: truth("The caller has shared it.").optional(),
  bookmarked: truth("The caller has starred it.").optional(),
  muted: truth("The caller wants to hear no more of its thread.").optional(),
  pinned: truth("It stands on top of the caller's page; only of the caller's own posts.").optional(),
  filtered: z
    .array(FilterResult)
    .optional()
    .meta({ description: "What the caller filters of it.", examples: [[]] }),
  text: text("What was typed; only of a post that was deleted.").optional(),
  tagged_collections: empty("Always empty."),
  local_only: truth("It is for people of this hub alone."),
  hubbub: z
    .strictObject({
      title: text("Its title."),
      thread: id("Id of the first post of its thread."),
      about: id("Id of the post that a private answer is about.").optional(),
      audience: z
        .strictObject({
          scope: text("The word of its scope, where it has no lists."),
          groups: listedGroups("Groups of the caller that may see it."),
          people: listedPeople("People who may see it."),
          groups_denied: listedGroups("Groups of the caller that may not."),
          people_denied: listedPeople("People who may not."),
        })
        .optional()
        .meta({ description: "For whom it is; only of the caller's own posts." }),
      activities: z
        .record(z.string(), z.int())
        .meta({ description: "How many have reacted in other ways.", examples: [{ dislike: 1 }] }),
      event: z
        .strictObject({
          start: datetime("When it begins."),
          end: orNull(z.string(), "When it ends."),
          title: text("What it is called."),
          place: text("Where it is."),
        })
        .optional()
        .meta({ description: "The event that it is." }),
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

/** A post within another one: what it quotes itself is only named. */
const QuotedStatus = z.strictObject({
  ...fields,
  quote: orNull(ShallowQuote, "What it quotes with words of its own."),
  reblog: z.null().meta({ description: "Always null." }),
});

/** Mastodon contract 11.10. */
export const StatusEdit = z.strictObject({
  content: text("What it said, as HTML.", "<p>Hello</p>"),
  spoiler_text: text("Its content warning."),
  sensitive: truth("It was not for every eye."),
  created_at: datetime("From when on it said so."),
  account: Account.meta({ description: "Who wrote it." }),
  poll: z
    .strictObject({
      options: z
        .array(z.strictObject({ title: words("What can be chosen.", "Tea") }))
        .meta({ description: "Its options, in their order." }),
    })
    .optional()
    .meta({ description: "The poll that it is." }),
  media_attachments: z.array(MediaAttachment).meta({ description: "Its pictures and files." }),
  emojis: z.array(CustomEmoji).meta({ description: "The pictures for codes in the text.", examples: [[]] }),
  quote: orNull(Quote, "What it quotes; not there of what it said before.").optional(),
});

/** Mastodon contract 11.12. */
export const ScheduledStatus = z.strictObject({
  id: id("Id of the post, which it keeps."),
  scheduled_at: datetime("When it will be published."),
  params: z
    .strictObject({
      text: text("What was typed."),
      poll: orNull(
        z.strictObject({
          options: z.array(z.string()).meta({ description: "What can be chosen.", examples: [["Tea", "Coffee"]] }),
          multiple: truth("More than one may be chosen."),
          hide_totals: z.null().meta({ description: "Always null." }),
          expires_in: orNull(z.int(), "How many seconds it takes votes."),
        }),
        "The poll that it is.",
      ),
      media_ids: orNull(z.array(z.string()), "Ids of its files."),
      sensitive: truth("It is not for every eye."),
      spoiler_text: text("Its content warning."),
      visibility: oneOf(["public", "unlisted", "private", "direct"], "For whom it is."),
      in_reply_to_id: z.null().meta({ description: "Always null." }),
      language: orNull(z.string(), "Code of its language."),
      application_id: count("Id of the application that asks."),
      scheduled_at: z.null().meta({ description: "Always null." }),
      idempotency: z.null().meta({ description: "Always null." }),
      with_rate_limit: truth("Always false."),
      quoted_status_id: orNull(z.string(), "Id of the post that it quotes."),
      quote_approval_policy: orNull(
        oneOf(["public", "followers", "nobody"], "Who may quote it."),
        "As it was said; null where nothing was.",
      ),
    })
    .meta({ description: "What was asked for." }),
  media_attachments: z.array(MediaAttachment).meta({ description: "Its pictures and files." }),
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
