import { z } from "zod";
import { activitiesObject, statusObject, userObject, userWithStatus } from "./microblog-objects.ts";

/** The objects of microblog contract 7.11 to 7.18 and the answers around lists (3.4), as strict schemas of what goes out in JSON. */

const id = z.int().positive();
const digits = z.string().regex(/^\d+$/);
const count = z.int().nonnegative();
const stored = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
const twitterDate = z.string().regex(/^[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d \+0000 \d{4}$/);
const entries = z.string().regex(/^(<\d+>)*$/);
const image = z.string().regex(/^http:\/\/hub\.example\/photo\/[\w-]+-[0-6]\.(jpg|png|gif|webp)$/);
const maybe = z.boolean().nullable();

const photoFields = {
  id: z.string().min(1),
  created: stored,
  edited: stored,
  title: z.string(),
  desc: z.string(),
  album: z.string().min(1),
  filename: z.string().min(1),
  type: z.string().regex(/^image\/(jpeg|png|gif|webp)$/),
  height: id,
  width: id,
  profile: z.literal([0, 1]),
  "media-id": id,
  scales: z
    .array(z.strictObject({ id, scale: z.int().min(0).max(6), link: image, width: id, height: id, size: id }))
    .min(1),
  allow_cid: entries,
  deny_cid: entries,
  allow_gid: entries,
  deny_gid: entries,
  svc_activities: activitiesObject,
  svc_comments: z.array(statusObject),
  friendica_activities: activitiesObject.extend({ announce: z.array(userObject) }),
  friendica_comments: z.array(statusObject),
  rights_mismatch: z.boolean(),
};

/** 7.11 */
export const photoObject = z.strictObject({ ...photoFields, link: z.record(z.string().regex(/^[0-6]$/), image) });
export const photoWithData = photoObject.extend({ datasize: id, data: z.base64() });
/** 7.11 for clients of other servers (2.5). */
export const photoWithLinks = photoObject.extend({ link: z.array(image).min(1) });
/** 9.5 */
export const albumPhoto = z.strictObject({ ...photoFields, thumb: image });

/** 7.12 */
export const photoEntry = z.strictObject({
  id: z.string().min(1),
  album: z.string().min(1),
  filename: z.string().min(1),
  type: z.string().regex(/^image\//),
  thumb: image,
  created: stored,
  edited: stored,
  desc: z.string(),
});
export const mediaRecord = z.strictObject({
  media_id: id,
  media_id_string: digits,
  size: id,
  image: z.strictObject({
    w: id,
    h: id,
    image_type: z.string(),
    svc_preview_url: image,
    friendica_preview_url: image,
  }),
  expires_after_secs: z.literal(86_400),
});

/** 7.13 */
export const albumRecord = z.strictObject({ name: z.string().min(1), created: stored, count: id });

/** 7.14 */
export const listObject = z.strictObject({
  id,
  id_str: digits,
  name: z.string().min(1),
  full_name: z.string().regex(/^@[\w-]+\/[\w-]+$/),
  slug: z.string().min(1),
  user: userObject,
  mode: z.literal(["public", "private"]),
  description: z.literal(""),
  member_count: count,
  subscriber_count: z.literal(0),
  following: z.literal(true),
  uri: z.string().regex(/^\/[\w-]+\/lists\/[\w-]+$/),
  created_at: twitterDate,
});

const side = {
  id,
  id_str: digits,
  screen_name: z.string().min(1),
  following: z.boolean(),
  followed_by: z.boolean(),
  following_received: maybe,
  following_requested: maybe,
};

/** 7.15 */
export const relationshipObject = z.strictObject({
  relationship: z.strictObject({
    source: z.strictObject({
      ...side,
      can_dm: z.boolean(),
      blocking: maybe,
      blocked_by: z.null(),
      muting: maybe,
      want_retweets: maybe,
      all_replies: maybe,
      marked_spam: maybe,
      notifications_enabled: maybe,
      live_following: z.literal(false),
    }),
    target: z.strictObject(side),
  }),
});

/** 7.16 */
export const savedSearch = z.strictObject({
  id,
  id_str: digits,
  name: z.string().min(1),
  query: z.string().min(1),
  position: z.null(),
  created_at: twitterDate,
});
export const rateLimitObject = z.strictObject({
  remaining_hits: digits,
  hourly_limit: digits,
  reset_time: twitterDate,
  reset_time_in_seconds: id,
});

const yesOrNo = z.literal(["true", "false"]);

/** 7.17 */
export const configObject = z.strictObject({
  site: z.strictObject({
    name: z.string().min(1),
    server: z.string().min(1),
    theme: z.literal("default"),
    path: z.string(),
    logo: z.url(),
    fancy: z.literal(true),
    language: z.string().min(2),
    email: z.string(),
    broughtby: z.literal(""),
    broughtbyurl: z.literal(""),
    timezone: z.literal("UTC"),
    closed: yesOrNo,
    inviteonly: z.boolean(),
    private: yesOrNo,
    textlimit: digits,
    ssl: yesOrNo,
    sslserver: z.string(),
    shorturllength: z.literal("30"),
    svc: z.strictObject({
      PLATFORM: z.string().min(1),
      VERSION: z.string().min(1),
      PROTOCOL_VERSION: z.string().min(1),
      DB_UPDATE_VERSION: id,
    }),
    friendica: z.strictObject({
      FRIENDICA_PLATFORM: z.string().min(1),
      FRIENDICA_VERSION: z.string().min(1),
      DFRN_PROTOCOL_VERSION: z.string().min(1),
      DB_UPDATE_VERSION: id,
    }),
  }),
  attachments: z.strictObject({ uploads: z.literal(true), file_quota: id }),
});

const cursors = {
  next_cursor: count,
  next_cursor_str: digits,
  previous_cursor: z.int().nonpositive(),
  previous_cursor_str: z.string().regex(/^(0|-\d+)$/),
  total_count: count,
};

/** 3.4 */
export const cursoredIds = z.strictObject({ ids: z.array(id), ...cursors });
export const cursoredUsers = z.strictObject({ users: z.array(userObject), ...cursors });
export const cursoredUsersWithStatus = z.strictObject({ users: z.array(userWithStatus), ...cursors });
export const cursoredLists = z.strictObject({ lists: z.array(listObject), ...cursors });

/** 8.1 */
export const settingsObject = z.strictObject({
  screen_name: z.string().min(1),
  language: z.string(),
  protected: z.literal(false),
  geo_enabled: z.literal(false),
  always_use_https: z.literal(true),
  discoverable_by_email: z.literal(false),
  time_zone: z.strictObject({
    name: z.literal("UTC"),
    tzinfo_name: z.literal("Etc/UTC"),
    utc_offset: z.literal(0),
  }),
  sleep_time: z.strictObject({ enabled: z.literal(false), start_time: z.null(), end_time: z.null() }),
  trend_location: z.tuple([]),
});
export const applicationRates = z.strictObject({
  rate_limit_context: z.strictObject({ access_token: z.literal("") }),
  resources: z.record(
    z.string(),
    z.record(z.string().startsWith("/"), z.strictObject({ limit: id, remaining: count, reset: id })),
  ),
});

/** 8.5 */
export const searchObject = z.strictObject({
  statuses: z.array(statusObject),
  search_metadata: z.strictObject({
    count: id,
    max_id: count,
    max_id_str: digits,
    since_id: count,
    since_id_str: digits,
    query: z.string(),
    completed_in: z.literal(0),
    next_results: z.string().startsWith("?").optional(),
  }),
});

/** 8.8 */
export const knownConnections = z.array(
  z.strictObject({
    id,
    id_str: digits,
    name: z.string().min(1),
    screen_name: z.string().min(1),
    connections: z.array(z.literal(["following", "following_requested", "followed_by", "blocking", "none"])).min(1),
  }),
);

const frame = z.strictObject({ w: id, h: id, resize: z.string() });

/** 8.13 */
export const helpConfiguration = z.strictObject({
  dm_text_character_limit: z.literal(10_000),
  characters_reserved_per_media: z.literal(0),
  max_media_per_upload: z.literal(10),
  short_url_length: z.literal(30),
  short_url_length_https: z.literal(30),
  photo_size_limit: id,
  photo_sizes: z.strictObject({ thumb: frame, small: frame, medium: frame, large: frame }),
  non_username_paths: z.tuple([]),
});
