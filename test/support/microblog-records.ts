import { z } from "zod";
import { entitiesObject, userObject } from "./microblog-objects.ts";

/** The objects of microblog contract 7.6 to 7.10, as strict schemas of what goes out in JSON. */

const id = z.int().positive();
const digits = z.string().regex(/^\d+$/);
const stored = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
const twitterDate = z.string().regex(/^[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d \+0000 \d{4}$/);
const flag = z.union([z.literal(0), z.literal(1)]);

const messageFields = {
  id,
  id_str: digits,
  sender_id: id,
  recipient_id: id,
  sender_screen_name: z.string().min(1),
  recipient_screen_name: z.string().min(1),
  sender: userObject,
  recipient: userObject,
  text: z.string(),
  title: z.string(),
  created_at: twitterDate,
  svc_seen: flag,
  svc_parent_uri: z.string().min(1),
};

/** 7.6 without the alias fields of 2.4. */
export const plainMessageObject = z.strictObject(messageFields);
/** 7.6 */
export const messageObject = plainMessageObject.extend({
  friendica_seen: flag,
  friendica_parent_uri: z.string().min(1),
});
export const messageWithoutUsers = messageObject.omit({ sender: true, recipient: true });
export const messageWithEntities = messageObject.extend({ entities: entitiesObject });

/** 7.7 */
export const noteRecord = z.strictObject({
  id,
  type: z.literal([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 32_768]),
  name: z.string().min(1),
  url: z.url(),
  photo: z.url(),
  date: stored,
  timestamp: z.int().positive(),
  date_rel: z.string().regex(/^(less than a second|\d+ (year|month|week|day|hour|minute|second)s?) ago$/),
  msg: z.string().min(1),
  msg_html: z.string().min(1),
  msg_plain: z.string().regex(/^[^\n]+$/),
  link: z.url(),
  seen: flag,
  iid: z.int().nonnegative(),
  parent: z.int().nonnegative(),
  otype: z.literal(["item", "intro", "mail"]),
  verb: z.url(),
  uid: id,
  name_cache: z.string().min(1),
  msg_cache: z.string().includes("{0}"),
  hash: z.string().min(1),
});

const recordFields = { name: z.string().min(1), gid: id, user: z.array(userObject) };
const changeFields = {
  success: z.literal(true),
  gid: id,
  name: z.string().min(1),
  status: z.literal(["ok", "missing user", "deleted"]),
  "wrong users": z.array(z.int()),
};

/** 7.8 */
export const groupRecord = z.strictObject(recordFields);
/** 7.9 */
export const groupChange = z.strictObject({ ...recordFields, ...changeFields });
/** 7.9 for clients of other servers (2.5). */
export const groupResult = z.strictObject(changeFields);

/** 7.10 */
export const profileRecord = z.strictObject({
  profile_id: id,
  profile_name: z.string().min(1),
  is_default: z.boolean(),
  hide_friends: z.boolean(),
  profile_photo: z.url(),
  profile_thumb: z.url(),
  publish: z.boolean(),
  net_publish: z.boolean(),
  description: z.string(),
  date_of_birth: z.string().regex(/^(\d{4}-\d\d-\d\d)?$/),
  address: z.string(),
  city: z.string(),
  region: z.string(),
  postal_code: z.string(),
  country: z.string(),
  hometown: z.string(),
  gender: z.string(),
  marital: z.string(),
  marital_with: z.string(),
  marital_since: z.string(),
  sexual: z.string(),
  politic: z.string(),
  religion: z.string(),
  public_keywords: z.string(),
  private_keywords: z.string(),
  likes: z.string(),
  dislikes: z.string(),
  about: z.string(),
  music: z.string(),
  book: z.string(),
  tv: z.string(),
  film: z.string(),
  interest: z.string(),
  romance: z.string(),
  work: z.string(),
  education: z.string(),
  social_networks: z.string(),
  homepage: z.string(),
  users: z.array(userObject),
  custom_fields: z.array(z.strictObject({ label: z.string(), value: z.string() })),
});

/** 9.7 for clients of other servers. */
export const profilesObject = z.strictObject({
  multi_profiles: z.boolean(),
  global_dir: z.string(),
  friendica_owner: userObject,
  svc_owner: userObject,
  profiles: z.array(profileRecord),
});
