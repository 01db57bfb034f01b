import type { FollowedTag } from "../items/followed-tags.ts";

/** A hashtag that a channel follows. */
export function followedTagRecord({ term, created }: FollowedTag): Record<string, string> {
  return { term, created };
}
