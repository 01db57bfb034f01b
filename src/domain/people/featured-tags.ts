import { refusal } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { changeChannelSettings, channelSetting } from "../identity/channels/channel-settings.ts";

/** Hashtags that a channel shows as what it writes about, with the spelling of its owner, and without their sign. */
export function featuredTags(hub: Hub, uid: number): Promise<readonly string[]> {
  return channelSetting(hub, uid, "featuredTags");
}

/** So many are shown. */
export const mostFeaturedTags = 10;
const longest = 191;

/** These, with or without their signs and each once, take the place of those before. Throws invalid. */
export async function featureTags(hub: Hub, uid: number, tags: readonly string[]): Promise<void> {
  const bare = tags.map(bareTag).filter((tag) => tag !== "");
  const once = new Map(bare.toReversed().map((tag) => [tag.toLowerCase(), tag]));
  const kept = bare.filter((tag) => once.get(tag.toLowerCase()) === tag && once.delete(tag.toLowerCase()));
  if (kept.length > mostFeaturedTags) throw refusal("featured_tags_full", { most: mostFeaturedTags });
  if (kept.some((tag) => tag.length > longest || !/^[^\s#"<>,;?()[\]]+$/.test(tag)))
    throw refusal("featured_tag_wrong");
  await changeChannelSettings(hub, uid, { featuredTags: kept });
}

/** A hashtag as somebody typed it, without the sign and the space around it. */
export function bareTag(typed: string): string {
  return typed.trim().replace(/^#+/, "");
}
