import { z } from "zod";
import { CustomEmoji } from "./custom-emoji.ts";
import { count, datetime, day, empty, id, list, oneOf, orNull, text, truth, url, words } from "./kinds.ts";

/** People (Mastodon contract 11.1, 11.2, 11.17). */

/** Mastodon contract 11.2. */
export const Field = z.strictObject({
  name: text("What it is called.", "Homepage"),
  value: text("What it says, as HTML."),
  verified_at: orNull(
    z.string(),
    "Since when the page has been known to lead back to the person; null where it is not.",
  ),
});

const Role = z.strictObject({
  id: id("Number of the role; 0 is everybody's, 1 that of administrators.", "0"),
  name: text("What it is called."),
  permissions: z
    .string()
    .regex(/^\d+$/)
    .meta({ description: "What it may do; always 0.", examples: ["0"] }),
  color: text("Always empty."),
  highlighted: truth("Always false."),
  collection_limit: count("Always 0."),
});

const picture = "https://hub.example/photo/profile/l/1";

const fields = {
  id: id("Id of the person; the same for everybody."),
  username: words("Nick without a host.", "ann"),
  acct: words("Nick of somebody of this hub, else the whole address.", "ann"),
  url: url("Page of the person.", "https://hub.example/channel/ann"),
  uri: words("Name of the person among servers.", "https://hub.example/channel/ann"),
  display_name: text("Name of the person.", "Ann Example"),
  note: text("About the person, as HTML; empty where the caller may not see it.", "<p>I sing</p>"),
  avatar: url("Picture of the person.", picture),
  avatar_static: url("The same.", picture),
  avatar_description: text("Always empty."),
  header: url(
    "Cover picture; its last part is `missing.png` where there is none.",
    "https://hub.example/assets/headers/missing.png",
  ),
  header_static: url("The same.", "https://hub.example/assets/headers/missing.png"),
  header_description: text("Always empty."),
  locked: truth("Whoever wants to follow asks first."),
  fields: z
    .array(Field)
    .max(16)
    .meta({ description: "What the profile says in short.", examples: [[]] }),
  emojis: z.array(CustomEmoji).meta({ description: "The pictures for codes in the name.", examples: [[]] }),
  bot: truth("It is a program."),
  group: truth("It is a forum, which passes on what is sent to it."),
  discoverable: orNull(z.boolean(), "It is listed; null where nobody says."),
  indexable: truth("Its public posts may be found by search."),
  noindex: truth("The opposite, of people of this hub.").optional(),
  suspended: truth("The hub shows nothing of the person; only then there.").optional(),
  limited: truth("The hub shows the person to followers alone; only then there.").optional(),
  created_at: datetime("When the person appeared, cut to the day."),
  last_status_at: orNull(day("Day."), "Day of the newest public status; null where nobody knows."),
  statuses_count: count("How many public statuses.", 3),
  followers_count: count("How many follow, where the caller may know.", 2),
  following_count: count("How many the person follows, where the caller may know.", 2),
  hide_collections: orNull(
    z.boolean(),
    "The counts, and with whom the person is connected, are hidden from the caller; null for people of elsewhere.",
  ),
  show_media: truth("Always true.", true),
  show_media_replies: truth("Always true.", true),
  show_featured: truth("Always false."),
  roles: z
    .array(
      z.strictObject({ id: id("1: administrators."), name: text("What it is called."), color: text("Always empty.") }),
    )
    .meta({ description: "Of those who run the hub, where the site shows them.", examples: [[]] }),
  feature_approval: z
    .strictObject({
      automatic: empty("Always empty."),
      manual: empty("Always empty."),
      current_user: oneOf(["denied"], "Always `denied`."),
    })
    .meta({ description: "Whether the person may be recommended in collections, which the hub has not." }),
};

/** Mastodon contract 11.1. */
export const Account = z.strictObject({
  ...fields,
  get moved(): z.ZodOptional<z.ZodType> {
    return Account.optional().meta({
      description: "Who the person is now; only of somebody who has moved.",
    }) as z.ZodOptional<z.ZodType>;
  },
});

const movedOn: z.ZodOptional<z.ZodType> = Account.optional().meta({
  description: "Who that is now; only for somebody who has moved.",
});

/** Mastodon contract 11.2. */
export const CredentialAccount = z.strictObject({
  ...fields,
  moved: movedOn,
  source: z
    .strictObject({
      note: text("The text about the person as it was typed."),
      fields: z.array(Field).meta({ description: "The fields as they were typed.", examples: [[]] }),
      privacy: oneOf(["public", "unlisted", "private", "direct"], "Audience of new posts."),
      sensitive: truth("Media of new posts are hidden at first."),
      language: text("Code of the language of new posts, or nothing.", "en"),
      follow_requests_count: count("How many requests wait."),
      hide_collections: orNull(z.boolean(), "Who is followed is hidden."),
      discoverable: orNull(z.boolean(), "It is listed in the directory."),
      indexable: truth("Public posts may be found by search."),
      attribution_domains: list("Sites whose pages may name the person as their author."),
      quote_policy: oneOf(["public", "followers", "nobody"], "Who may quote what everybody may see."),
    })
    .meta({ description: "What was typed, and what new posts begin with." }),
  role: Role.meta({ description: "What the account may do besides." }),
});

/** Mastodon contract 11.2: somebody whom the caller ignores. */
export const MutedAccount = z.strictObject({
  ...fields,
  moved: movedOn,
  mute_expires_at: orNull(datetime("Date."), "When that ends by itself; null for never."),
});

/** Mastodon contract 11.40. */
export const Profile = z.strictObject({
  id: fields.id,
  display_name: fields.display_name,
  note: text("The text about the person as it was typed."),
  fields: z.array(Field).meta({ description: "The fields as they were typed.", examples: [[]] }),
  avatar: orNull(z.url(), "The picture; null where it is drawn."),
  avatar_static: orNull(z.url(), "The same."),
  avatar_description: text("Always empty."),
  header: orNull(z.url(), "The cover picture, if there is one."),
  header_static: orNull(z.url(), "The same."),
  header_description: text("Always empty."),
  locked: fields.locked,
  bot: fields.bot,
  hide_collections: truth("Whom the person is connected with is hidden."),
  discoverable: truth("It is listed in the directory."),
  indexable: fields.indexable,
  show_media: fields.show_media,
  show_media_replies: fields.show_media_replies,
  show_featured: fields.show_featured,
  attribution_domains: list("Sites whose pages may name the person as their author."),
});

/** Mastodon contract 11.17. */
export const Relationship = z.strictObject({
  id: id("Id of the person."),
  following: truth("The caller gets what the person posts."),
  requested: truth("The caller has asked to."),
  followed_by: truth("The person gets what the caller posts."),
  requested_by: truth("The person has asked to."),
  showing_reblogs: truth("With what the person shares."),
  notifying: truth("The caller is told of each post."),
  languages: orNull(
    z.array(z.string()),
    "Only what the person writes in these comes into the home time line; null for all.",
  ),
  blocking: truth("The caller blocks the person."),
  blocked_by: truth("Always false: nobody learns who blocks them."),
  muting: truth("The caller ignores the person."),
  muting_notifications: truth("The same."),
  muting_expires_at: orNull(datetime("Date."), "When that ends by itself."),
  domain_blocking: truth("The caller blocks the person's server."),
  endorsed: truth("Always false."),
  note: text("What the caller has noted about the person."),
});

/** Mastodon contract 11.18. */
export const List = z.strictObject({
  id: id("Id of the group."),
  title: words("Its name.", "Choir"),
  replies_policy: oneOf(
    ["list", "followed", "none"],
    "Which answers of members it shows: to each other, to anybody whom the caller follows, or none.",
  ),
  exclusive: truth("What members post stands in this list alone, and not at home."),
  hubbub: z
    .strictObject({
      visible: truth("Its members see who is in it."),
      members: count("How many are in it."),
      default: truth("New posts go there."),
    })
    .meta({ description: "What the group is besides." }),
});

/** Host of a server. */
export const Host = words("Host of a server.", "other.example");

/** Mastodon contract 11.25. */
export const Preferences = z.strictObject({
  "posting:default:visibility": oneOf(["public", "unlisted", "private", "direct"], "Audience of new posts."),
  "posting:default:sensitive": truth("Media of new posts are hidden at first."),
  "posting:default:language": orNull(z.string(), "Code of the language of new posts."),
  "posting:default:quote_policy": oneOf(["public", "followers", "nobody"], "Who may quote new posts."),
  "reading:expand:media": oneOf(["default"], "Always `default`."),
  "reading:expand:spoilers": truth("Always false."),
  "reading:autoplay:gifs": truth("Always false."),
});

/** Mastodon contract 11.35. */
export const Suggestion = z.strictObject({
  source: oneOf(["past_interactions"], "Always `past_interactions`."),
  sources: z.array(z.enum(["friends_of_friends", "most_interactions"])).meta({
    description: "Whether connections of the caller know the person, or the person has written lately.",
    examples: [["friends_of_friends"]],
  }),
  account: Account.meta({ description: "Whom the caller may like to follow." }),
});

/** Mastodon contract 11.36. */
export const FamiliarFollowers = z.strictObject({
  id: id("Id of the person."),
  accounts: empty("Always empty."),
});
