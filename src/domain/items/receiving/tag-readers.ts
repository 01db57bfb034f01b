import { momentIn } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { tagFollowers } from "../delivery/tag-followers.ts";
import { termTypes } from "../vocabulary.ts";
import type { Reader } from "./readers.ts";
import type { Decided } from "./spread.ts";
import type { Whole } from "./whole.ts";

const day = 24 * 60 * 60 * 1000;

/** The channels that get a new thread of elsewhere because they follow a hashtag of it; what comes long after it was written is no news. */
export async function tagReaders(
  hub: Hub,
  { post, layout, terms, audience }: Whole,
  { author_id, owner_id, created }: Pick<Decided, "author_id" | "owner_id" | "created">,
): Promise<Reader[]> {
  if (!audience.isPublic || audience.isUnlisted || created < momentIn(hub, -day)) return [];
  const tags = terms.filter(({ ttype }) => ttype === termTypes.hashtag).map(({ term }) => term);
  const found = await tagFollowers(hub, tags, { ...layout, title: post.title, author_id, owner_id });
  return found.map((reader) => ({ ...reader, follows: false }));
}
