import { z } from "zod";

/** The objects of microblog contract 7, as strict schemas of what goes out in JSON. */

const date = z
  .string()
  .regex(
    /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d\d \d\d:\d\d:\d\d \+0000 \d{4}$/,
  );
const id = z.int().positive();
const digits = z.string().regex(/^\d+$/);
const colour = z.string().regex(/^[0-9a-f]{6}$/);
const noUrls = z.strictObject({ urls: z.tuple([]) });

/** 7.1 */
export const userObject = z.strictObject({
  id,
  id_str: digits,
  name: z.string().min(1),
  screen_name: z.string().min(1),
  location: z.string().min(1),
  description: z.string(),
  url: z.url(),
  entities: z.strictObject({ url: noUrls, description: noUrls }),
  profile_image_url: z.url(),
  profile_image_url_https: z.url(),
  profile_image_url_profile_size: z.url(),
  profile_image_url_large: z.url(),
  profile_banner_url: z.string(),
  protected: z.boolean(),
  followers_count: z.int(),
  friends_count: z.int(),
  listed_count: z.literal(0),
  favourites_count: z.int(),
  statuses_count: z.int(),
  created_at: date,
  utc_offset: z.literal(0),
  time_zone: z.literal("UTC"),
  geo_enabled: z.literal(false),
  verified: z.boolean(),
  lang: z.string(),
  contributors_enabled: z.literal(false),
  is_translator: z.literal(false),
  is_translation_enabled: z.literal(false),
  default_profile: z.literal(false),
  default_profile_image: z.boolean(),
  following: z.boolean(),
  follow_request_sent: z.boolean(),
  statusnet_blocking: z.boolean(),
  notifications: z.literal(false),
  statusnet_profile_url: z.url(),
  cid: z.int().nonnegative(),
  pid: id,
  network: z.string(),
  profile_sidebar_fill_color: colour.optional(),
  profile_link_color: colour.optional(),
  profile_background_color: colour.optional(),
});

/** 7.3 */
export const activitiesObject = z.strictObject({
  like: z.array(userObject),
  dislike: z.array(userObject),
  attendyes: z.array(userObject),
  attendno: z.array(userObject),
  attendmaybe: z.array(userObject),
});

/** 7.4 */
const indices = z.tuple([z.int(), z.int()]);
const size = z.strictObject({ w: z.int(), h: z.int(), resize: z.literal("fit") });
const anyMedia = {
  id,
  id_str: digits,
  indices,
  media_url: z.url(),
  media_url_https: z.url(),
  url: z.url(),
  expanded_url: z.url(),
  display_url: z.string(),
  ext_alt_text: z.string(),
  sizes: z.strictObject({ thumb: size, small: size.optional(), medium: size, large: size.optional() }),
};
const variant = z.strictObject({ url: z.url(), content_type: z.string().startsWith("video/") });
/** 7.4.1 */
const mediaEntity = z.discriminatedUnion("type", [
  z.strictObject({ ...anyMedia, type: z.literal("photo") }),
  z.strictObject({
    ...anyMedia,
    type: z.literal("video"),
    video_info: z.strictObject({ variants: z.array(variant).min(1) }),
  }),
]);
export const entitiesObject = z.strictObject({
  hashtags: z.array(z.strictObject({ text: z.string(), indices })),
  symbols: z.tuple([]),
  urls: z.array(z.strictObject({ url: z.url(), expanded_url: z.url(), display_url: z.string(), indices })),
  user_mentions: z.array(z.strictObject({ id, id_str: digits, name: z.string(), screen_name: z.string(), indices })),
  media: z.array(mediaEntity),
});

const point = z.strictObject({ type: z.literal("Point"), coordinates: z.tuple([z.number(), z.number()]) });

/** 7.2, in the order of the table; the last part are the alias fields of 2.4. */
const statusFields = {
  id,
  id_str: digits,
  text: z.string().min(1),
  truncated: z.boolean(),
  created_at: date,
  source: z.string().min(1),
  in_reply_to_status_id: id.nullable(),
  in_reply_to_status_id_str: digits.nullable(),
  in_reply_to_user_id: id.nullable(),
  in_reply_to_user_id_str: digits.nullable(),
  in_reply_to_screen_name: z.string().nullable(),
  user: userObject,
  geo: point.nullable(),
  coordinates: point.nullable(),
  place: z.strictObject({ full_name: z.string(), name: z.string() }).nullable(),
  contributors: z.null(),
  favorited: z.boolean(),
  retweeted: z.boolean(),
  favorite_count: z.int(),
  retweet_count: z.int(),
  possibly_sensitive: z.boolean(),
  is_quote_status: z.boolean(),
  lang: z.string(),
  statusnet_html: z.string().min(1),
  statusnet_conversation_id: id,
  external_url: z.url(),
  attachments: z.array(
    z.strictObject({
      url: z.url(),
      mimetype: z.string().min(1),
      size: z.int(),
      width: z.int(),
      height: z.int(),
      thumb_url: z.string(),
    }),
  ),
  entities: entitiesObject.optional(),
  extended_entities: z.strictObject({ media: z.array(mediaEntity) }).optional(),
  get retweeted_status(): z.ZodOptional<z.ZodType> {
    return z.lazy(() => statusObject).optional();
  },
  get quoted_status(): z.ZodOptional<z.ZodType> {
    return z.lazy(() => statusObject).optional();
  },
  quoted_status_id: id.optional(),
  quoted_status_id_str: digits.optional(),
  svc_author: userObject,
  svc_owner: userObject,
  svc_private: z.boolean(),
  svc_activities: activitiesObject,
  svc_comments: z.int(),
  svc_title: z.string(),
  svc_html: z.string(),
};

const aliasFields = {
  friendica_author: userObject,
  friendica_owner: userObject,
  friendica_private: z.boolean(),
  friendica_activities: activitiesObject.extend({ announce: z.array(userObject) }),
  friendica_comments: z.int(),
  friendica_title: z.string(),
  friendica_html: z.string(),
};

export const statusObject = z.strictObject({ ...statusFields, ...aliasFields });
export const plainStatusObject = z.strictObject(statusFields);

/** What user objects carry where an endpoint says so. */
export const userWithStatus = userObject.extend({ status: statusObject.omit({ user: true }).optional() });

/** 5.1 */
export const errorObject = z.strictObject({ error: z.string().min(1), code: z.int(), request: z.string() });
