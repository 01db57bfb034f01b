import type { z } from "zod";
import type { FeaturedTag } from "../../../domain/items/timelines/featured-tags.ts";
import { tagKey } from "../../../domain/items/save.ts";
import type { KnownTag } from "../../../domain/items/timelines/search-tags.ts";
import type { FeaturedTag as FeaturedTagEntity, Tag } from "../entities/tag.ts";
import { dayOrNull } from "./dates.ts";

/** Where the hub looks for a hashtag. */
export function tagUrl(baseUrl: string, name: string): string {
  return `${baseUrl}/tags/${encodeURIComponent(name)}`;
}

/** What tags are shown with: `now` says which days the last ones are, `own` what the caller has chosen. */
export type TagContext = {
  baseUrl: string;
  now: Date;
  own?: { followed: ReadonlySet<string>; featured: ReadonlySet<string> };
};

/** Mastodon contract 11.23. */
export function presentTag({ id, name }: KnownTag, { baseUrl, now, own }: TagContext): z.infer<typeof Tag> {
  const key = tagKey(name);
  return {
    id: String(id),
    name: name.toLowerCase(),
    url: tagUrl(baseUrl, name),
    history: lastDays(now),
    ...(own && { following: own.followed.has(key), featuring: own.featured.has(key) }),
  };
}

/** Mastodon contract 11.36. */
export function presentFeaturedTag(
  { id, name, posts, lastPost }: FeaturedTag,
  baseUrl: string,
): z.infer<typeof FeaturedTagEntity> {
  return {
    id: String(id),
    name,
    url: tagUrl(baseUrl, name),
    statuses_count: String(posts),
    last_status_at: dayOrNull(lastPost),
  };
}

const day = 24 * 3600;

/** Seven days of which nothing is counted. */
function lastDays(moment: Date): z.infer<typeof Tag>["history"] {
  const begin = Math.floor(moment.getTime() / 1000 / day) * day;
  return Array.from({ length: 7 }, (_, back) => ({ day: String(begin - back * day), uses: "0", accounts: "0" }));
}
