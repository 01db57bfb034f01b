import { z } from "zod";
import { always, count, date, digits, empty, id, orNull, text, truth, url, words } from "./kinds.ts";

/** Statuses and the people in them. They are in one file because each holds the other. */

const profile = "https://hub.example/channel/ann";
const photo = (size: string): string => `https://hub.example/photo/profile/${size}/2`;
const colour = (description: string) =>
  z
    .string()
    .regex(/^[0-9a-f]{6}$/)
    .optional()
    .meta({ description });
const noUrls = z
  .strictObject({ urls: empty("Always empty.") })
  .meta({ description: "Always without links: nothing is shortened." });

/** Microblog contract 7.1. */
export const User = z.strictObject({
  id: id("Id of the person."),
  id_str: digits("The same as text."),
  name: words("Full name, else the nick.", "Ann Example"),
  screen_name: words("Nick without the host, else the name.", "ann"),
  location: words("Where the person is, else the name of the network.", "Berlin"),
  description: text("What the person says about themselves, as plain text.", "Gardener"),
  url: url("Page of the profile.", profile),
  entities: z
    .strictObject({ url: noUrls, description: noUrls })
    .optional()
    .meta({ description: "Links in `url` and `description`; left out where that was asked for." }),
  profile_image_url: url("Picture, 48 pixels wide.", photo("s")),
  profile_image_url_https: url("The same.", photo("s")),
  profile_image_url_profile_size: url("Picture, 80 pixels wide.", photo("m")),
  profile_image_url_large: url("Picture, 300 pixels wide.", photo("l")),
  profile_banner_url: text("Cover photo, if there is one."),
  protected: truth("As the author of a status: the status is not public."),
  followers_count: count("How many receive the person's posts, as far as the caller may know.", 12),
  friends_count: count("Whose posts the person receives, as far as the caller may know.", 15),
  listed_count: always(0, "Always 0."),
  favourites_count: count("How much the caller has starred; of other people always 0."),
  statuses_count: count("Public statuses of the person that this hub knows.", 240),
  created_at: date("Since when the person is known."),
  utc_offset: always(0, "Always 0."),
  time_zone: always("UTC", "Always UTC."),
  geo_enabled: always(false, "Always false."),
  verified: truth("The person is of this hub.", true),
  lang: text("Code of the person's language.", "en"),
  contributors_enabled: always(false, "Always false."),
  is_translator: always(false, "Always false."),
  is_translation_enabled: always(false, "Always false."),
  default_profile: always(false, "Always false."),
  default_profile_image: truth("The person has no picture of their own."),
  following: truth("The caller receives the person's posts.", true),
  follow_request_sent: truth("The caller has asked and waits for an answer."),
  statusnet_blocking: truth("The caller blocks the person."),
  notifications: always(false, "Always false."),
  statusnet_profile_url: url("Page of the profile at its own host.", profile),
  cid: count("Id of the caller's connection with the person, or 0.", 5),
  pid: id("The same as `id`."),
  network: text("Code of the person's network.", "zot"),
  profile_sidebar_fill_color: colour("Only of the caller: a colour, as six hexadecimal digits."),
  profile_link_color: colour("Only of the caller: a colour, as six hexadecimal digits."),
  profile_background_color: colour("Only of the caller: a colour, as six hexadecimal digits."),
  get status(): z.ZodOptional<z.ZodType> {
    return UserStatus.optional().meta({
      description: "The newest public status of the person, where the endpoint says so.",
    }) as z.ZodOptional<z.ZodType>;
  },
});

const people = (description: string) => z.array(User).meta({ description });

/** Microblog contract 7.3. */
export const Activities = z.strictObject({
  like: people("Who likes it."),
  dislike: people("Who dislikes it."),
  attendyes: people("Who will be there."),
  attendno: people("Who will not be there."),
  attendmaybe: people("Who may be there."),
});

/** Activities in the copy for clients of other servers. */
export const ActivitiesWithShares = Activities.extend({ announce: people("Who has shared it.") });

const Indices = z
  .array(z.int().nonnegative())
  .length(2)
  .meta({ description: "Where it begins and ends in the text, in code points.", examples: [[0, 4]] });

const size = (name: string) =>
  z
    .strictObject({
      w: count("Pixels from side to side.", 340),
      h: count("Pixels from top to bottom.", 255),
      resize: always("fit", "Always `fit`."),
    })
    .meta({ description: `The ${name} size.` });

const picture = "https://hub.example/photo/6c2f80b5-1.jpg";

/** Microblog contract 7.4.1. */
export const MediaEntity = z.strictObject({
  id: id("Id of the upload; of foreign images their place.", 88),
  id_str: digits("The same as text.", "88"),
  indices: Indices,
  media_url: url("Where it is.", picture),
  media_url_https: url("The same.", picture),
  url: url("The same, as in the text.", picture),
  expanded_url: url("The same.", picture),
  display_url: text("The same, short.", "hub.example/photo/6c2f80b5…"),
  type: z.enum(["photo", "video"]).meta({ description: "What it is.", examples: ["photo"] }),
  ext_alt_text: text("What is to be seen, in words.", "An old tree"),
  sizes: z
    .strictObject({
      thumb: size("smallest"),
      small: size("small").optional(),
      medium: size("medium"),
      large: size("large").optional(),
    })
    .meta({ description: "How large it is in each of its sizes." }),
  video_info: z
    .strictObject({
      variants: z
        .array(
          z.strictObject({
            url: url("Where it is.", "https://hub.example/attach/7d93b1e4"),
            content_type: z
              .string()
              .startsWith("video/")
              .meta({ description: "Its type.", examples: ["video/mp4"] }),
          }),
        )
        .min(1)
        .meta({ description: "Its forms." }),
    })
    .optional()
    .meta({ description: "Only of a video." }),
});

/** Microblog contract 7.4. */
export const Entities = z.strictObject({
  hashtags: z
    .array(z.strictObject({ text: text("The word without its sign.", "tea"), indices: Indices }))
    .meta({ description: "Hashtags." }),
  symbols: empty("Always empty."),
  urls: z
    .array(
      z.strictObject({
        url: url("The address.", "https://example.org/tea"),
        expanded_url: url("The same.", "https://example.org/tea"),
        display_url: text("What to show for it.", "example.org/tea"),
        indices: Indices,
      }),
    )
    .meta({ description: "Links." }),
  user_mentions: z
    .array(
      z.strictObject({
        id: id("Id of the person."),
        id_str: digits("The same as text."),
        name: text("Name of the person.", "Ann Example"),
        screen_name: text("Nick of the person.", "ann"),
        indices: Indices,
      }),
    )
    .meta({ description: "People." }),
  media: z.array(MediaEntity).meta({ description: "Pictures and films." }),
});

/** Microblog contract 7.5. */
export const Attachment = z.strictObject({
  url: url("Where it is.", picture),
  mimetype: words("Its type.", "image/jpeg"),
  size: count("How many bytes it has, 0 if nobody knows.", 183746),
  width: count("Pixels from side to side, 0 if nobody knows.", 1024),
  height: count("Pixels from top to bottom, 0 if nobody knows.", 768),
  thumb_url: text("A small version of it.", "https://hub.example/photo/6c2f80b5-3.jpg"),
});

const Point = z.strictObject({
  type: always("Point", "Always `Point`."),
  coordinates: z
    .array(z.number())
    .length(2)
    .meta({ description: "Two numbers.", examples: [[59.9, 10.7]] }),
});

/** A status; the last part are the alias fields of microblog contract 2.4, which a setting of the hub leaves out. */
export const Status = z.strictObject({
  id: id("Id of the status.", 812),
  id_str: digits("The same as text.", "812"),
  text: words("What it says, as plain text; its title stands first.", "Hello world"),
  truncated: truth("The text was cut, as long posts of feeds are."),
  created_at: date("When it was written."),
  source: words("The program that wrote it, and the network.", "curl (Hubbub)"),
  in_reply_to_status_id: orNull(z.int().positive(), "Id of the status that it answers."),
  in_reply_to_status_id_str: orNull(z.string().regex(/^\d+$/), "The same as text."),
  in_reply_to_user_id: orNull(z.int().positive(), "Id of whom it answers."),
  in_reply_to_user_id_str: orNull(z.string().regex(/^\d+$/), "The same as text."),
  in_reply_to_screen_name: orNull(z.string(), "Nick of whom it answers."),
  user: User.meta({ description: "Who wrote it, or shared it." }),
  geo: orNull(Point, "Where it was written, latitude first."),
  coordinates: orNull(Point, "Where it was written, longitude first."),
  place: orNull(
    z.strictObject({ full_name: text("The place in words.", "Oslo"), name: text("The same.", "Oslo") }),
    "Where it was written, in words.",
  ),
  contributors: z.null().meta({ description: "Always null." }),
  favorited: truth("The caller has starred it; nobody else learns of that."),
  retweeted: truth("The caller has shared it, or what it repeats."),
  favorite_count: count("How many like it.", 1),
  retweet_count: count("How many have shared it, or what it repeats."),
  possibly_sensitive: truth("It is not for every eye."),
  is_quote_status: truth("It quotes another one."),
  lang: text("Code of its language, when that is known.", "en"),
  statusnet_html: words("What it says, as simple HTML with the title.", "Hello world"),
  statusnet_conversation_id: id("Id of the first status of its conversation.", 812),
  external_url: url("Its permalink.", "https://hub.example/item/5f0c21d9-6f0e-4c3b-9b1d-2a7ae4410c55"),
  attachments: z.array(Attachment).meta({ description: "Its pictures and files." }),
  entities: Entities.optional().meta({ description: "What is named in the text; only with `include_entities`." }),
  extended_entities: z
    .strictObject({ media: z.array(MediaEntity).meta({ description: "All of them." }) })
    .optional()
    .meta({ description: "Its pictures and films; only with `include_entities`." }),
  get retweeted_status(): z.ZodOptional<z.ZodType> {
    return Status.optional().meta({
      description: "Of a share without words: what it shares.",
    }) as z.ZodOptional<z.ZodType>;
  },
  get quoted_status(): z.ZodOptional<z.ZodType> {
    return Status.optional().meta({
      description: "Of a share with words: what it quotes.",
    }) as z.ZodOptional<z.ZodType>;
  },
  quoted_status_id: id("Id of what it quotes.").optional(),
  quoted_status_id_str: digits("The same as text.").optional(),
  svc_author: User.meta({ description: "Who wrote what it says; of a share the author of the original." }),
  svc_owner: User.meta({ description: "On whose wall the thread is; of a comment its author." }),
  svc_private: truth("Not everybody may see it."),
  svc_activities: Activities.meta({ description: "Who reacted how." }),
  svc_comments: count("How many comments its thread has below it."),
  svc_title: text("Its title."),
  svc_summary: text("Its content warning, or what an article is about; where there is one.").optional(),
  svc_html: text("What it says, as rich HTML without the title.", "Hello world"),
  friendica_author: User.optional().meta({ description: "The same as `svc_author`." }),
  friendica_owner: User.optional().meta({ description: "The same as `svc_owner`." }),
  friendica_private: truth("The same as `svc_private`.").optional(),
  friendica_activities: ActivitiesWithShares.optional().meta({
    description: "As `svc_activities`, and who shared it.",
  }),
  friendica_comments: count("The same as `svc_comments`.").optional(),
  friendica_title: text("The same as `svc_title`.").optional(),
  friendica_html: text("The same as `svc_html`.").optional(),
});

/** What a user object carries. Documents name it, as all that is exported here. */
export const UserStatus = Status.omit({ user: true });
