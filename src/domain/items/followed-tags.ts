import { sql } from "kysely";
import type { Expression, RawBuilder, SelectQueryBuilder, SqlBool } from "kysely";
import { refusal } from "../../errors.ts";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { Tables } from "../../storage/tables/index.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { lockChannels } from "../identity/channels/lock-channels.ts";
import { dateIn, textIn } from "../identity/records/portable-fields.ts";
import type { PortableRecord, Taken } from "../identity/records/portable-fields.ts";
import { bareTag } from "../people/featured-tags.ts";
import { tagKey } from "./save.ts";
import { termTypes } from "./vocabulary.ts";

/**
 * Hashtags that a channel follows: public posts with them come into its stream like those of connections (decision 84;
 * delivery/tag-followers.ts). Tags are the same whatever their capitals.
 */
export type FollowedTag = { id: number; term: string; created: string };

const longestTag = 191;
const most = 400;

/** The tags that the channel follows, by name; a later one has a greater id. */
export async function listFollowedTags(hub: Hub, uid: number): Promise<FollowedTag[]> {
  return hub.db
    .selectFrom("followed_tag")
    .select(["id", "term", "created"])
    .where("uid", "=", uid)
    .orderBy("term_key")
    .execute();
}

/** Does the channel follow this tag? */
export async function isFollowedTag(hub: Hub, uid: number, tag: string): Promise<boolean> {
  const row = await hub.db
    .selectFrom("followed_tag")
    .select("id")
    .where("uid", "=", uid)
    .where("term_key", "=", tagKey(tag))
    .executeTakeFirst();
  return row !== undefined;
}

/** The channel follows a tag, given with or without its sign, and answers it; harmless again. Throws invalid, and denied for too many. */
export async function followTag(
  hub: Hub,
  { channel_id: uid }: Channel,
  tag: string,
  since = now(hub),
): Promise<FollowedTag> {
  const term = bareTag(tag);
  if (!/^[^\s#"<>,;?()[\]]+$/.test(term) || term.length > longestTag) throw refusal("followed_tag_wrong");
  return inTransaction(hub, async (hub) => {
    await lockChannels(hub, [uid]);
    const known = await listFollowedTags(hub, uid);
    const same = known.find((followed) => tagKey(followed.term) === tagKey(term));
    if (same) return same;
    if (known.length >= most) throw refusal("followed_tags_full", { most });
    return hub.db
      .insertInto("followed_tag")
      .values({ uid, term, term_key: tagKey(term), created: since })
      .returning(["id", "term", "created"])
      .executeTakeFirstOrThrow();
  });
}

/** Ends it; harmless for a tag that is not followed. What has come stays. */
export async function unfollowTag(hub: Hub, { channel_id: uid }: Channel, tag: string): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await hub.db.deleteFrom("followed_tag").where("uid", "=", uid).where("term_key", "=", tagKey(tag)).execute();
  });
}

/** Takes a followed tag over from an export. */
export async function importFollowedTag(hub: Hub, channel: Channel, record: PortableRecord): Promise<Taken> {
  const term = textIn(record, "term");
  if (term === "") return "unreadable";
  if (await isFollowedTag(hub, channel.channel_id, term)) return "there";
  await followTag(hub, channel, term, dateIn(record, "created", now(hub)));
  return "imported";
}

/** The channels that follow a hashtag of this message: a query for their ids. */
export function followingTagsOf(hub: Hub, message: RawBuilder<unknown>): Expression<{ uid: number }> {
  return hashtagsOf(hub, message)
    .innerJoin("followed_tag", "followed_tag.term_key", "term.term_key")
    .select("followed_tag.uid");
}

/** The hashtags of a message, as rows of `term`. */
export function hashtagsOf(hub: Hub, message: RawBuilder<unknown>): SelectQueryBuilder<Tables, "term", object> {
  return hub.db
    .selectFrom("term")
    .where(sql<SqlBool>`term.message_id = ${message}`)
    .where("term.uid", "=", sql.lit(0))
    .where("term.ttype", "=", sql.lit(termTypes.hashtag));
}
