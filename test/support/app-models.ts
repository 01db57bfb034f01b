import { z } from "zod";

/**
 * What today's applications make of an answer, written after the models in their sources: what they need, what may be missing, which
 * words and dates they know. Where one of these fails, the application shows nothing, or something wrong.
 */

/** Ids, which programs make numbers of or compare by length. */
const id = z.string().regex(/^(0|[1-9]\d{0,15})$/);
const url = z.url({ protocol: /^https?$/ });
const count = z.int().nonnegative();
/** The one form that all of them read: Ice Cubes takes every other for now. */
const date = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/);
const emojis = z.array(z.object({ shortcode: z.string(), url, static_url: url }));

type Models = {
  account: z.ZodType;
  status: z.ZodType;
  notification: z.ZodType;
  instance: z.ZodType;
};

const iceAccount = z.object({
  id,
  username: z.string().min(1),
  display_name: z.string().nullish(),
  avatar: url,
  header: url,
  acct: z.string().min(1),
  note: z.string(),
  created_at: date,
  followers_count: count.nullish(),
  following_count: count.nullish(),
  statuses_count: count.nullish(),
  last_status_at: day.nullish(),
  fields: z.array(z.object({ name: z.string(), value: z.string(), verified_at: z.string().nullish() })),
  locked: z.boolean(),
  emojis,
  url: url.nullish(),
  bot: z.boolean(),
  discoverable: z.boolean().nullish(),
});

const iceStatusFields = {
  id,
  content: z.string(),
  account: iceAccount,
  created_at: date,
  edited_at: date.nullish(),
  media_attachments: z.array(
    z.object({
      id,
      type: z.string(),
      url: url.nullish(),
      preview_url: url.nullish(),
      description: z.string().nullish(),
      meta: z
        .object({
          original: z.object({ width: z.int().positive(), height: z.int().positive() }).nullish(),
          focus: z.object({ x: z.number(), y: z.number() }).nullish(),
        })
        .nullish(),
    }),
  ),
  mentions: z.array(z.object({ id, username: z.string(), url, acct: z.string() })),
  replies_count: count,
  reblogs_count: count,
  favourites_count: count,
  emojis,
  url: url.nullish(),
  in_reply_to_id: id.nullish(),
  in_reply_to_account_id: id.nullish(),
  visibility: z.enum(["public", "unlisted", "private", "direct"]),
  poll: z
    .object({
      id,
      expired: z.boolean(),
      multiple: z.boolean(),
      votes_count: count,
      voters_count: count.nullish(),
      options: z.array(z.object({ title: z.string(), votes_count: count.nullish() })),
    })
    .nullish(),
  spoiler_text: z.string(),
  filtered: z.array(z.object({ filter: z.object({ id, title: z.string(), filter_action: z.string() }) })).nullish(),
  sensitive: z.boolean(),
  language: z.string().min(2).nullish(),
  tags: z.array(z.object({ name: z.string().min(1), url: z.string().min(1) })),
};
const iceStatus = z.object({ ...iceStatusFields, reblog: z.object(iceStatusFields).nullish() });

const iceCubes: Models = {
  account: iceAccount,
  status: iceStatus,
  notification: z.object({ id, type: z.string(), created_at: date, account: iceAccount, status: iceStatus.nullish() }),
  instance: z.object({
    title: z.string(),
    version: z.string().regex(/^\d\.\d/),
    thumbnail: z.object({ url }),
    registrations: z.object({ enabled: z.boolean() }),
    contact: z.object({ email: z.string() }),
    rules: z.array(z.object({ id: z.string(), text: z.string() })).nullish(),
    configuration: z.object({
      statuses: z.object({ max_characters: z.int(), max_media_attachments: z.int() }),
      polls: z.object({
        max_options: z.int(),
        max_characters_per_option: z.int(),
        min_expiration: z.int(),
        max_expiration: z.int(),
      }),
    }),
  }),
};

const tuskyAccount = z.object({
  id,
  username: z.string().min(1),
  acct: z.string().min(1),
  display_name: z.string().nullish(),
  note: z.string(),
  url: z.string().min(1),
  avatar: z.string().min(1),
  header: z.string().min(1),
  bot: z.boolean(),
  emojis,
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
  roles: z.array(z.object({ name: z.string(), color: z.string() })),
});
const tuskyStatusFields = {
  id,
  url: z.string().nullish(),
  account: tuskyAccount,
  in_reply_to_id: z.string().nullish(),
  in_reply_to_account_id: z.string().nullish(),
  content: z.string(),
  created_at: z.iso.datetime(),
  edited_at: z.iso.datetime().nullish(),
  emojis,
  reblogs_count: count,
  favourites_count: count,
  replies_count: count,
  reblogged: z.boolean(),
  favourited: z.boolean(),
  bookmarked: z.boolean(),
  sensitive: z.boolean(),
  spoiler_text: z.string(),
  visibility: z.enum(["public", "unlisted", "private", "direct"]),
  media_attachments: z.array(
    z.object({
      id: z.string(),
      url: z.string(),
      preview_url: z.string().nullish(),
      type: z.enum(["image", "gifv", "video", "audio", "unknown"]),
      description: z.string().nullish(),
      blurhash: z.string().nullish(),
    }),
  ),
  mentions: z.array(z.object({ id: z.string(), url: z.string(), acct: z.string(), username: z.string() })),
  tags: z.array(z.object({ name: z.string(), url: z.string() })),
  application: z.object({ name: z.string(), website: z.string().nullish() }).nullish(),
  poll: z
    .object({
      id: z.string(),
      expires_at: z.iso.datetime().nullish(),
      expired: z.boolean(),
      multiple: z.boolean(),
      votes_count: count,
      options: z.array(z.object({ title: z.string(), votes_count: count })),
    })
    .nullish(),
  language: z.string().min(2).nullish(),
};
const tuskyStatus = z.object({ ...tuskyStatusFields, reblog: z.object(tuskyStatusFields).nullish() });

const int32 = z.int().max(2 ** 31 - 1);
const tusky: Models = {
  account: tuskyAccount,
  status: tuskyStatus,
  notification: z.object({
    id,
    type: z.string(),
    account: tuskyAccount,
    status: tuskyStatus.nullish(),
  }),
  instance: z.object({
    domain: z.string(),
    title: z.string(),
    version: z.string(),
    contact: z.object({ email: z.string() }),
    configuration: z.object({
      urls: z.object({ streaming: z.string().startsWith("ws") }),
      accounts: z.object({ max_featured_tags: int32 }),
      statuses: z.object({ max_characters: int32, max_media_attachments: int32, characters_reserved_per_url: int32 }),
      media_attachments: z.object({
        supported_mime_types: z.array(z.string()),
        image_size_limit: int32,
        image_matrix_limit: int32,
        video_size_limit: int32,
        video_matrix_limit: int32,
      }),
      polls: z.object({
        max_options: int32,
        max_characters_per_option: int32,
        min_expiration: int32,
        max_expiration: int32,
      }),
    }),
  }),
};

/** The official application for Android, and Moshidon after it: everything that it marks as needed. */
const androidAccount = z.object({
  id,
  username: z.string(),
  acct: z.string(),
  url,
  display_name: z.string(),
  note: z.string(),
  avatar: url,
  created_at: date,
});
const androidStatusFields = {
  id,
  uri: z.string().min(1),
  created_at: date,
  account: androidAccount,
  content: z.string(),
  visibility: z.enum(["public", "unlisted", "private", "direct"]),
  media_attachments: z.array(
    z.object({
      id: z.string(),
      type: z.enum(["unknown", "image", "gifv", "video", "audio"]),
      url,
      meta: z.object({ original: z.object({ width: z.int().positive() }).nullish() }).nullish(),
    }),
  ),
  mentions: z.array(z.object({ id, username: z.string(), acct: z.string(), url })),
  tags: z.array(z.object({ name: z.string(), url: z.string() })),
  emojis,
};
const androidStatus = z.object({ ...androidStatusFields, reblog: z.object(androidStatusFields).nullish() });
const moshidon: Models = {
  account: androidAccount,
  status: androidStatus,
  notification: z.object({
    id,
    type: z.string(),
    created_at: date,
    account: androidAccount,
    status: androidStatus.nullish(),
  }),
  instance: z.object({ domain: z.string(), title: z.string(), description: z.string(), version: z.string() }),
};

/** Raccoon for Friendica: gone by default values, but strict about kinds. */
const raccoonAccount = z.object({
  id,
  acct: z.string(),
  username: z.string(),
  display_name: z.string().nullish(),
  created_at: z.string(),
  fields: z.array(z.object({ name: z.string(), value: z.string(), verified_at: z.string().nullish() })),
  followers_count: count,
  following_count: count,
  statuses_count: count,
  group: z.boolean(),
  locked: z.boolean(),
  url: z.string(),
});
const raccoonStatusFields = {
  id,
  account: raccoonAccount,
  content: z.string().nullish(),
  created_at: z.string(),
  edited_at: z.string().nullish(),
  visibility: z.string(),
  local_only: z.boolean().nullish(),
  media_attachments: z.array(z.object({ id: z.string(), type: z.string(), url: z.string() })),
  in_reply_to_status: z.null().optional(),
  friendica: z.object({ title: z.string() }).nullish(),
};
const raccoonStatus = z.object({ ...raccoonStatusFields, reblog: z.object(raccoonStatusFields).nullish() });
const raccoon: Models = {
  account: raccoonAccount,
  status: raccoonStatus,
  notification: z.object({ id, type: z.string(), account: raccoonAccount, status: raccoonStatus.nullish() }),
  instance: z.object({ domain: z.string(), version: z.string().regex(/^(?!.*(friendica|pleroma|akkoma|glitch))/i) }),
};

/** What Elk and Phanpy reach through without looking. */
const webAccount = z.object({ id, acct: z.string(), url, avatar: url, display_name: z.string(), emojis });
const webStatusFields = {
  id,
  account: webAccount,
  content: z.string(),
  created_at: date,
  visibility: z.string(),
  media_attachments: z.array(z.object({ id: z.string(), type: z.string() })),
  mentions: z.array(z.object({ id, acct: z.string(), url })),
  tags: z.array(z.object({ name: z.string(), url: z.string() })),
  emojis,
  filtered: z.array(z.unknown()),
};
const webStatus = z.object({ ...webStatusFields, reblog: z.object(webStatusFields).nullable() });
const web: Models = {
  account: webAccount,
  status: webStatus,
  notification: z.object({ id, type: z.string(), created_at: date, account: webAccount, status: webStatus.nullish() }),
  instance: z.object({
    domain: z.string(),
    version: z.string(),
    configuration: z.object({
      urls: z.object({ streaming: z.string() }),
      statuses: z.object({ max_characters: z.int() }),
      vapid: z.object({ public_key: z.string() }),
      translation: z.object({ enabled: z.boolean() }),
    }),
    languages: z.array(z.string()),
  }),
};

/** By the name of the application. */
export const appModels: Readonly<Record<string, Models>> = {
  Tusky: tusky,
  "Ice Cubes": iceCubes,
  Moshidon: moshidon,
  Raccoon: raccoon,
  "Elk and Phanpy": web,
};

/** A group of notices as Ice Cubes reads it: its newest id is a number there, and its date is never missing. */
export const iceGroup = z.object({
  group_key: z.string(),
  notifications_count: z.int(),
  type: z.string(),
  most_recent_notification_id: z.int(),
  latest_page_notification_at: date,
  sample_account_ids: z.array(id).min(1),
  status_id: id.nullish(),
});

/** What Ice Cubes keeps of an application, and of a token. */
export const iceApp = z.object({
  id: z.string(),
  name: z.string(),
  redirect_uri: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
});
export const iceToken = z.object({
  access_token: z.string(),
  token_type: z.literal("Bearer"),
  scope: z.string(),
  created_at: z.number(),
});

/** What Tusky needs of a relationship. */
export const tuskyRelationship = z.object({
  id,
  following: z.boolean(),
  followed_by: z.boolean(),
  blocking: z.boolean(),
  muting: z.boolean(),
  muting_notifications: z.boolean(),
  requested: z.boolean(),
  showing_reblogs: z.boolean(),
  domain_blocking: z.boolean(),
  blocked_by: z.boolean(),
  note: z.string().nullish(),
  notifying: z.boolean().nullish(),
});

/** What Tusky reads of a post that waits; before it took null, one without a warning cost it the whole list. */
export const tuskyScheduled = z.object({
  id,
  scheduled_at: date,
  params: z.object({
    text: z.string(),
    sensitive: z.boolean(),
    visibility: z.enum(["public", "unlisted", "private", "direct"]),
    spoiler_text: z.string(),
    in_reply_to_id: id.nullish(),
  }),
  media_attachments: tuskyStatusFields.media_attachments,
});
