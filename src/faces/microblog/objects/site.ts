import { z } from "zod";
import { always, count, date, digits, empty, id, text, truth, url, words } from "./kinds.ts";
import { Status } from "./status.ts";

/** The hub, the account and searches. */

/** An error; failures of messages also say it as a soft result does (microblog contract 8.12). */
export const Error = z.strictObject({
  error: words("What is wrong.", "There is no status with this id."),
  code: z.int().meta({ description: "Status of the answer.", examples: [404] }),
  request: text("The path that was asked for.", "api/statuses/show/999.json"),
  result: z.literal("error").optional().meta({ description: "Where that was asked for: always `error`." }),
  message: words("Where that was asked for: what is wrong.", "message id not in database").optional(),
});

/** Microblog contract 7.16. */
export const SavedSearch = z.strictObject({
  id: id("Id of the saved search.", 4),
  id_str: digits("The same as text.", "4"),
  name: words("What is searched for.", "#tea"),
  query: words("The same.", "#tea"),
  position: z.null().meta({ description: "Always null." }),
  created_at: date("When it was saved."),
});

/** Microblog contract 7.16. */
export const RateLimit = z.strictObject({
  remaining_hits: digits("How many requests are left.", "150"),
  hourly_limit: digits("How many an hour has.", "150"),
  reset_time: date("When they are there again."),
  reset_time_in_seconds: id("The same in seconds since 1970.", 1772370000),
});

const Figures = z.strictObject({
  limit: id("How many there are.", 20_000),
  remaining: count("How many are left.", 19_990),
  reset: id("When they are there again, in seconds since 1970.", 1772366400),
});

/** Microblog contract 8.1. */
export const RateLimits = z.strictObject({
  rate_limit_context: z
    .strictObject({ access_token: always("", "Always empty.") })
    .meta({ description: "Whose limits these are." }),
  resources: z.record(z.string(), z.record(z.string().startsWith("/"), Figures)).meta({
    description: "The limits, by family and path.",
    examples: [{ statuses: { "/statuses/home_timeline": { limit: 20_000, remaining: 19_990, reset: 1772366400 } } }],
  }),
});

/** Microblog contract 8.1. */
export const Settings = z.strictObject({
  screen_name: words("Nick of the caller.", "ann"),
  language: text("Code of the caller's language.", "en"),
  protected: always(false, "Always false."),
  geo_enabled: always(false, "Always false."),
  always_use_https: always(true, "Always true."),
  discoverable_by_email: always(false, "Always false."),
  time_zone: z
    .strictObject({
      name: always("UTC", "Always UTC."),
      tzinfo_name: always("Etc/UTC", "Always Etc/UTC."),
      utc_offset: always(0, "Always 0."),
    })
    .meta({ description: "The time zone of all dates." }),
  sleep_time: z
    .strictObject({
      enabled: always(false, "Always false."),
      start_time: z.null().meta({ description: "Always null." }),
      end_time: z.null().meta({ description: "Always null." }),
    })
    .meta({ description: "When not to disturb." }),
  trend_location: empty("Always empty."),
});

const yesOrNo = (description: string, example: "true" | "false" = "false") =>
  z.enum(["true", "false"]).meta({ description, examples: [example] });
const level = (description: string) => id(description, 1);

/** Microblog contract 7.17. */
export const Config = z.strictObject({
  site: z
    .strictObject({
      name: words("Name of the hub.", "Hubbub"),
      server: words("Name of the host.", "hub.example"),
      theme: always("default", "Always `default`."),
      path: text("Path of the hub on its host."),
      logo: url("Its logo.", "https://hub.example/assets/logo-64.png"),
      fancy: always(true, "Always true."),
      language: words("Code of its language.", "en"),
      email: text("Where its administrator can be reached."),
      broughtby: always("", "Always empty."),
      broughtbyurl: always("", "Always empty."),
      timezone: always("UTC", "Always UTC."),
      closed: yesOrNo("Nobody can sign up."),
      inviteonly: truth("One needs an invitation to sign up."),
      private: yesOrNo("It shows nothing to strangers."),
      textlimit: digits("How long a status may be.", "200000"),
      ssl: yesOrNo("It is reached over https.", "true"),
      sslserver: text("Its address, if that is https.", "https://hub.example"),
      shorturllength: always("30", "Always 30."),
      svc: z
        .strictObject({
          PLATFORM: words("The program.", "Hubbub"),
          VERSION: words("Its version.", "0.1.0"),
          PROTOCOL_VERSION: words("Level of these extensions.", "1.0"),
          DB_UPDATE_VERSION: level("Level of the tables."),
        })
        .meta({ description: "The program." }),
      friendica: z
        .strictObject({
          FRIENDICA_PLATFORM: words("The program.", "Hubbub"),
          FRIENDICA_VERSION: words("Its version.", "0.1.0"),
          DFRN_PROTOCOL_VERSION: words("Level of these extensions.", "1.0"),
          DB_UPDATE_VERSION: level("Level of the tables."),
        })
        .optional()
        .meta({ description: "The same under other names." }),
    })
    .meta({ description: "The hub." }),
  attachments: z
    .strictObject({
      uploads: always(true, "Always true."),
      file_quota: id("How many bytes a file may have.", 268_435_456),
    })
    .meta({ description: "What can be uploaded." }),
});

/** Microblog contract 7.17. */
export const ProtocolVersion = words("A level of the protocol that old clients check.", "0.9.7");

const frame = (size: string, pixels: number) =>
  z
    .strictObject({
      w: id("Pixels from side to side.", pixels),
      h: id("Pixels from top to bottom.", pixels),
      resize: always("fit", "Always `fit`."),
    })
    .meta({ description: `The ${size} size.` });

/** Microblog contract 8.13. */
export const Configuration = z.strictObject({
  dm_text_character_limit: always(10_000, "How long a message should be."),
  characters_reserved_per_media: always(0, "Always 0."),
  max_media_per_upload: always(10, "How many uploads a status can have."),
  short_url_length: always(30, "What clients reckon an address to take."),
  short_url_length_https: always(30, "The same."),
  photo_size_limit: id("How many bytes an image may have.", 33_554_432),
  photo_sizes: z
    .strictObject({
      thumb: frame("smallest", 150),
      small: frame("small", 340),
      medium: frame("medium", 600),
      large: frame("large", 1024),
    })
    .meta({ description: "The sizes of images." }),
  non_username_paths: empty("Always empty."),
});

/** What a search finds, below `1.1` (microblog contract 2.5). */
export const SearchResult = z.strictObject({
  statuses: z.array(Status).meta({ description: "What was found." }),
  search_metadata: z
    .strictObject({
      count: id("How many a page has.", 15),
      max_id: count("The greatest id of the page.", 812),
      max_id_str: digits("The same as text.", "812"),
      since_id: count("`since_id` of the request."),
      since_id_str: digits("The same as text.", "0"),
      query: text("What was searched for.", "#tea"),
      completed_in: always(0, "Always 0."),
      next_results: z
        .string()
        .startsWith("?")
        .optional()
        .meta({ description: "Query of the next page, if there is one." }),
    })
    .meta({ description: "About the search." }),
});

/** Microblog contract 6.4. */
export const RequestToken = z.strictObject({
  oauth_token: words("The request token.", "k3Jd82"),
  oauth_token_secret: words("Its secret.", "p0Xw71"),
  oauth_callback_confirmed: always("true", "Always true."),
});

/** Microblog contract 6.4. */
export const AccessToken = z.strictObject({
  oauth_token: words("The access token.", "k3Jd82"),
  oauth_token_secret: words("Its secret.", "p0Xw71"),
  user_id: digits("Id of the person who has agreed."),
  screen_name: words("Nick of the person who has agreed.", "ann"),
});

/** Microblog contract 6.4. */
export const TokenError = z.strictObject({
  error: words("What is wrong.", "Invalid signature"),
  oauth_problem: words("What is wrong, for programs.", "signature_invalid"),
});

/** Microblog contract 8.8. */
export const Truth = truth("Yes or no.", true);
