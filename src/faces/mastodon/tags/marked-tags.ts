import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { listFollowedTags } from "../../../domain/items/followed-tags.ts";
import { tagKey } from "../../../domain/items/save.ts";
import { featuredTags } from "../../../domain/people/featured-tags.ts";
import type { Hub } from "../../../hub.ts";
import type { TagContext } from "../present/tag.ts";

/** What hashtags are shown with: which of them the caller follows and shows. */
export async function markedTags(hub: Hub, caller: Caller | undefined): Promise<TagContext> {
  const around = { baseUrl: hub.config.baseUrl, now: hub.clock() };
  if (!caller) return around;
  const uid = caller.channel.channel_id;
  const [followed, featured] = await Promise.all([listFollowedTags(hub, uid), featuredTags(hub, uid)]);
  return {
    ...around,
    own: {
      followed: new Set(followed.map(({ term }) => tagKey(term))),
      featured: new Set(featured.map(tagKey)),
    },
  };
}
