import { languagesHere } from "../../../domain/items/receiving/languages.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import type { Hub } from "../../../hub.ts";
import { offersLanguages } from "../translate/languages.ts";
import type { Post } from "../translate/object.ts";
import { audienceOf } from "../translate/received-post.ts";

/** The languages in which those have it for whom a post is, the best first; asked for only where the post offers several. */
export async function languagesFor(
  hub: Hub,
  post: Post,
  author: Xchan,
  inboxes: readonly number[] = [],
): Promise<string[]> {
  return offersLanguages(post) ? languagesHere(hub, author, audienceOf(post, inboxes)) : [];
}
