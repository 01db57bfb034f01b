import { z } from "zod";
import { Account } from "./account.ts";
import { count, datetime, empty, list, nothing, oneOf, orNull, text, truth, url, words, always } from "./kinds.ts";

/** The site (Mastodon contract 11.26 to 11.28). */

export const Rule = z.strictObject({
  id: words("Number of the rule.", "1"),
  text: words("What it says.", "Be kind."),
  hint: text("More about it."),
  translations: z.strictObject({}).meta({ description: "Always empty." }),
});

const small = (description: string, example: number) =>
  z
    .int()
    .nonnegative()
    .max(2 ** 31 - 1)
    .meta({ description, examples: [example] });

const accounts = z
  .strictObject({
    max_display_name_length: small("Length of a name.", 191),
    max_note_length: small("Length of the text about a person.", 65535),
    max_avatar_description_length: small("Always 0.", 0),
    max_header_description_length: small("Always 0.", 0),
    max_featured_tags: small("Hashtags that one can show on a profile.", 10),
    max_pinned_statuses: small("Posts that one can pin.", 5),
    max_profile_fields: small("Fields of a profile.", 16),
    profile_field_name_limit: small("Length of their names.", 255),
    profile_field_value_limit: small("Length of what they say.", 2047),
  })
  .meta({ description: "Limits of accounts." });

const statuses = z
  .strictObject({
    max_characters: small("Length of a post.", 200_000),
    max_media_attachments: small("Files of a post.", 32),
    characters_reserved_per_url: small("What an address counts.", 23),
    supported_mime_types: list("Formats that are understood.", "text/plain"),
  })
  .meta({ description: "Limits of posts." });

const media = z
  .strictObject({
    supported_mime_types: list("Types of files that can be attached.", "image/jpeg"),
    description_limit: small("Length of a description.", 1500),
    image_size_limit: small("Bytes of a picture.", 104857600),
    image_matrix_limit: small("Pixels of a picture.", 100000000),
    video_size_limit: small("Bytes of a film.", 104857600),
    video_frame_rate_limit: small("Frames a second.", 120),
    video_matrix_limit: small("Pixels of a film.", 100000000),
  })
  .meta({ description: "Limits of files." });

const polls = z
  .strictObject({
    max_options: small("Options of a poll.", 20),
    max_characters_per_option: small("Length of an option.", 200),
    min_expiration: small("Seconds that a poll lasts at least.", 300),
    max_expiration: small("Seconds that it lasts at most.", 2629746),
  })
  .meta({ description: "Limits of polls." });

const access = z.strictObject({
  local: oneOf(["public", "authenticated"], "Of posts of this hub."),
  remote: oneOf(["public", "authenticated"], "Of posts of elsewhere."),
});

/** Mastodon contract 11.26. */
export const Instance = z.strictObject({
  domain: words("Host of the hub.", "hub.example"),
  title: words("Its name.", "Hubbub"),
  version: words("What applications take it for, and its own version.", "4.5.0 (compatible; Hubbub 1.0.0)"),
  source_url: url("Where the program comes from.", "https://hub.example/source"),
  description: text("A few words about it."),
  usage: z
    .strictObject({
      users: z
        .strictObject({
          active_month: count("How many posted or logged in within 30 days, where that is told.", 2),
        })
        .meta({ description: "How many people." }),
    })
    .meta({ description: "Its size." }),
  thumbnail: z
    .strictObject({
      url: url("Its picture.", "https://hub.example/assets/thumbnail.png"),
      description: text("Always empty."),
      versions: z.strictObject({}).meta({ description: "Always empty." }),
    })
    .meta({ description: "Its picture." }),
  icon: z
    .array(
      z.strictObject({
        src: url("Where it is.", "https://hub.example/assets/logo-64.png"),
        size: words("Its size.", "64x64"),
      }),
    )
    .meta({ description: "Its icons." }),
  languages: list("Languages of its pages.", "en"),
  configuration: z
    .strictObject({
      urls: z
        .strictObject({
          streaming: text("Where streams are.", "wss://hub.example"),
          status: z.null().meta({ description: "Always null." }),
          about: url("What people read about it.", "https://hub.example/help"),
          privacy_policy: z.null().meta({ description: "Always null." }),
          terms_of_service: z.null().meta({ description: "Always null." }),
        })
        .meta({ description: "Further addresses." }),
      vapid: z
        .strictObject({ public_key: text("By which push services know the hub.") })
        .meta({ description: "Key for push messages." }),
      accounts,
      statuses,
      media_attachments: media,
      polls,
      translation: z
        .strictObject({ enabled: always(false, "Always false.") })
        .meta({ description: "Whether texts are translated." }),
      timelines_access: z
        .strictObject({
          live_feeds: access.meta({ description: "Of public time lines." }),
          hashtag_feeds: access.meta({ description: "Of hashtags." }),
          trending_link_feeds: access.meta({ description: "Of links." }),
        })
        .meta({ description: "Who may read which lists." }),
      limited_federation: truth("Always false."),
    })
    .meta({ description: "What it can do, and its limits." }),
  registrations: z
    .strictObject({
      enabled: truth("Whether new people are taken.", true),
      approval_required: truth("Somebody looks at them first."),
      reason_required: truth("They say why they want to join."),
      message: z.null().meta({ description: "Always null." }),
      min_age: z.null().meta({ description: "Always null." }),
      url: url("Where they come in.", "https://hub.example/register"),
    })
    .meta({ description: "How new people come in." }),
  contact: z
    .strictObject({
      email: text("Address of whoever runs it, or nothing."),
      account: orNull(Account, "Always null."),
    })
    .meta({ description: "Whom to turn to." }),
  rules: z.array(Rule).meta({ description: "Its rules.", examples: [[]] }),
  api_versions: z
    .strictObject({ mastodon: small("The API of Mastodon 4.5.", 7) })
    .meta({ description: "Which state of the API is spoken." }),
  wrapstodon: z.null().meta({ description: "Always null." }),
  hubbub: z
    .strictObject({ version: words("Version of the program.", "1.0.0") })
    .meta({ description: "The program itself." }),
});

/** Mastodon contract 11.27. */
export const InstanceV1 = z.strictObject({
  uri: words("Host of the hub.", "hub.example"),
  title: words("Its name.", "Hubbub"),
  short_description: text("A few words about it."),
  description: text("The same."),
  email: text("Address of whoever runs it, or nothing."),
  version: words("What applications take it for, and its own version.", "4.5.0 (compatible; Hubbub 1.0.0)"),
  urls: z
    .strictObject({ streaming_api: text("Where streams are.", "wss://hub.example") })
    .meta({ description: "Further addresses." }),
  stats: z
    .strictObject({
      user_count: count("How many channels, where that is told.", 2),
      status_count: count("How many public posts.", 9),
      domain_count: count("Other servers that the hub knows."),
    })
    .meta({ description: "Its size." }),
  thumbnail: orNull(z.url(), "Its picture."),
  languages: list("Languages of its pages.", "en"),
  registrations: truth("Whether new people are taken.", true),
  approval_required: truth("Somebody looks at them first."),
  invites_enabled: truth("Members, or administrators, invite people."),
  configuration: z
    .strictObject({
      accounts,
      statuses,
      media_attachments: media,
      polls,
    })
    .meta({ description: "Its limits." }),
  contact_account: orNull(Account, "Always null."),
  rules: z.array(Rule).meta({ description: "Its rules.", examples: [[]] }),
  max_toot_chars: small("Length of a post.", 200_000),
  max_media_attachments: small("Files of a post.", 32),
  vapid_key: text("Empty as long as there are no push messages."),
});

export const Activity = z.strictObject({
  week: z
    .string()
    .regex(/^\d+$/)
    .meta({ description: "When it began, in seconds since 1970.", examples: ["1772366400"] }),
  statuses: z.string().meta({ description: "Always 0.", examples: ["0"] }),
  logins: z.string().meta({ description: "Always 0.", examples: ["0"] }),
  registrations: z.string().meta({ description: "Always 0.", examples: ["0"] }),
});

export const Language = z.strictObject({ code: words("Its code.", "en"), name: words("Its name.", "English") });

/** Mastodon contract 11.38. */
export const SiteText = z.strictObject({
  updated_at: orNull(datetime("Date."), "When it was changed last; null as long as nobody has."),
  content: text("The text as HTML."),
});

export const Nobody = empty("An empty list.");

/** What other sites show of an address (oEmbed 1.0). */
export const Oembed = z.strictObject({
  type: oneOf(["rich"], "HTML that stands in the page."),
  version: oneOf(["1.0"], "That of oEmbed."),
  title: words("What it is.", "New post by Ann"),
  author_name: words("Who wrote it.", "Ann"),
  author_url: url("Page of the author.", "https://hub.example/channel/ann"),
  provider_name: words("Name of the hub.", "Our hub"),
  provider_url: url("Address of the hub.", "https://hub.example"),
  cache_age: count("For so many seconds it may be kept."),
  html: text("The words and where they come from, as a quotation."),
  width: count("How many pixels wide it wants to be."),
  height: nothing("As high as the words need."),
});

/** Collections of people, of which the hub keeps none. */
export const Collections = z.strictObject({ collections: empty("Always empty.") });
