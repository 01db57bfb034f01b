import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { missing, refusal } from "../../../errors.ts";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { lockChannels } from "../../identity/channels/lock-channels.ts";
import { bareTag, featuredTags, featureTags } from "../../people/featured-tags.ts";
import { tagKey } from "../save.ts";
import { termTypes } from "../vocabulary.ts";
import { shown } from "./timeline-sources.ts";

/** A hashtag that a channel shows as what it writes about, and its public posts with it; `id` is made of the word. */
export type FeaturedTag = { id: number; name: string; posts: number; lastPost: string };

/** Those of a channel, in its order, in one query. */
export async function featuredTagsOf(
  hub: Hub,
  channel: Pick<Channel, "channel_id" | "xchan_id">,
): Promise<FeaturedTag[]> {
  const names = await featuredTags(hub, channel.channel_id);
  if (names.length === 0) return [];
  const rows = await hub.db
    .selectFrom("term")
    .innerJoin("item", "item.message_id", "term.message_id")
    .select((x) => ["term_key", x.fn.count<number>("item.id").as("posts"), x.fn.max("item.created").as("last")])
    .where("ttype", "=", termTypes.hashtag)
    .where("term.uid", "=", sql.lit(0))
    .where(isOneOf(hub.engine, sql.ref("term_key"), names.map(tagKey), "text"))
    .where("item.uid", "=", channel.channel_id)
    .where("item.author_id", "=", channel.xchan_id)
    .where(sql<SqlBool>`item.item_wall = 1 and item.item_private = 0 and ${shown}`)
    .groupBy("term_key")
    .execute();
  const counted = new Map(rows.map((row) => [row.term_key, row]));
  return names.map((name) => {
    const found = counted.get(tagKey(name));
    return { id: idOf(name), name, posts: Number(found?.posts ?? 0), lastPost: found?.last ?? "" };
  });
}

/** Adds a hashtag to those that the channel shows, and answers it; harmless again. Throws invalid. */
export async function addFeaturedTag(hub: Hub, channel: Channel, tag: string): Promise<FeaturedTag> {
  if (bareTag(tag) === "") throw refusal("featured_tag_wrong");
  await change(hub, channel, (names) => (names.some((name) => tagKey(name) === tagKey(tag)) ? names : [...names, tag]));
  const added = (await featuredTagsOf(hub, channel)).find(({ name }) => tagKey(name) === tagKey(tag));
  if (!added) throw missing("Tag");
  return added;
}

/** Takes one away, by its word; harmless where it is not there. */
export async function removeFeaturedTag(hub: Hub, channel: Channel, tag: string): Promise<void> {
  await change(hub, channel, (names) => names.filter((name) => tagKey(name) !== tagKey(tag)));
}

/** The same by its id. Throws missing. */
export async function removeFeaturedTagById(hub: Hub, channel: Channel, id: number): Promise<void> {
  await change(hub, channel, (names) => {
    const kept = names.filter((name) => idOf(name) !== id);
    if (kept.length === names.length) throw missing("Tag");
    return kept;
  });
}

async function change(
  hub: Hub,
  { channel_id: uid }: Channel,
  by: (names: readonly string[]) => readonly string[],
): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await lockChannels(hub, [uid]);
    await featureTags(hub, uid, by(await featuredTags(hub, uid)));
  });
}

/** Few enough bits to be a whole number everywhere. */
function idOf(tag: string): number {
  return createHash("sha256").update(tagKey(tag)).digest().readUIntBE(0, 6);
}
