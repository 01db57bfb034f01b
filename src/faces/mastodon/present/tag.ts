import type { z } from "zod";
import type { KnownTag } from "../../../domain/items/timelines/search-tags.ts";
import type { Tag } from "../entities/tag.ts";

/** Where the hub looks for a hashtag. */
export function tagUrl(baseUrl: string, name: string): string {
  return `${baseUrl}/tags/${encodeURIComponent(name)}`;
}

/** What tags are shown with: `now` says which days the last ones are. */
export type TagContext = { baseUrl: string; hasToken: boolean; now: Date };

/** Mastodon contract 11.23. */
export function presentTag({ id, name }: KnownTag, { baseUrl, hasToken, now }: TagContext): z.infer<typeof Tag> {
  return {
    id: String(id),
    name: name.toLowerCase(),
    url: tagUrl(baseUrl, name),
    history: lastDays(now),
    ...(hasToken && { following: false, featuring: false }),
  };
}

const day = 24 * 3600;

/** Seven days of which nothing is counted. */
function lastDays(moment: Date): z.infer<typeof Tag>["history"] {
  const begin = Math.floor(moment.getTime() / 1000 / day) * day;
  return Array.from({ length: 7 }, (_, back) => ({ day: String(begin - back * day), uses: "0", accounts: "0" }));
}
