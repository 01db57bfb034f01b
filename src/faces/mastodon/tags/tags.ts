import { z } from "zod";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { findChannelByXchan } from "../../../domain/identity/channels/channels.ts";
import { followTag, listFollowedTags, unfollowTag } from "../../../domain/items/followed-tags.ts";
import {
  addFeaturedTag,
  featuredTagsOf,
  removeFeaturedTag,
  removeFeaturedTagById,
} from "../../../domain/items/timelines/featured-tags.ts";
import { findTag } from "../../../domain/items/timelines/search-tags.ts";
import { bareTag } from "../../../domain/people/featured-tags.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Endpoint } from "../../../http/endpoint.ts";
import type { Hub } from "../../../hub.ts";
import { namedAccount } from "../accounts/named-account.ts";
import { id, requiredText } from "../parameters.ts";
import { pageInput, pageLinks, pageOf, windowOf } from "../paging.ts";
import { presentFeaturedTag, presentTag } from "../present/tag.ts";
import { seeing } from "../seeing.ts";
import { markedTags } from "./marked-tags.ts";

const name = requiredText("The word, with or without its sign.");
const named = z.object({ name });

/** Hashtags that the hub does not take are no fault of the request's form. */
const errors = {
  followed_tag_wrong: [422, "Validation failed: Name is invalid"],
  featured_tag_wrong: [422, "Validation failed: Tag is invalid"],
} as const;

/** Mastodon contract 12.3 and 12.9. */
export const tagRows = [
  endpoint({
    path: "v1/tags/:name",
    methods: ["GET"],
    access: "public",
    mayBeStale: true,
    summary: "One hashtag.",
    answer: "Tag",
    example: { name: "tea" },
    input: named,
    async handle(hub, caller, input) {
      await seeing(hub, caller);
      return oneTag(hub, caller, input.name);
    },
    present: presentOne,
  }),
  deed("follow", "write:follows", "Follows a hashtag: public posts with it come into the caller's stream.", followTag),
  deed("unfollow", "write:follows", "Ends that; what has come stays.", unfollowTag),
  deed("feature", "write:accounts", "Shows a hashtag on the caller's profile.", addFeaturedTag),
  deed("unfeature", "write:accounts", "Takes it away from there.", removeFeaturedTag),
  endpoint({
    path: "v1/followed_tags",
    methods: ["GET"],
    access: "channel",
    scope: "read:follows",
    summary: "Hashtags that the caller follows, the last first.",
    answer: "Tag[]",
    input: z.object(pageInput(100)),
    async handle(hub, caller, input) {
      const tags = await listFollowedTags(hub, caller.channel.channel_id);
      return { ...pageOf(tags, windowOf(input)), around: await markedTags(hub, caller) };
    },
    present: ({ page, around }) => page.map(({ id: key, term }) => presentTag({ id: key, name: term }, around)),
    headers: ({ edges }, exchange) => pageLinks(edges, exchange),
  }),
  endpoint({
    path: "v1/featured_tags",
    methods: ["GET"],
    access: "channel",
    scope: "read:accounts",
    summary: "Hashtags on the caller's profile.",
    answer: "FeaturedTag[]",
    input: z.object({}),
    handle: async (hub, { channel }) => ({ tags: await featuredTagsOf(hub, channel), baseUrl: hub.config.baseUrl }),
    present: ({ tags, baseUrl }) => tags.map((tag) => presentFeaturedTag(tag, baseUrl)),
  }),
  endpoint({
    path: "v1/featured_tags",
    methods: ["POST"],
    access: "channel",
    scope: "write:accounts",
    writes: true,
    summary: "Shows a hashtag on the caller's profile.",
    answer: "FeaturedTag",
    errors,
    example: { name: "tea" },
    input: named,
    handle: async (hub, { channel }, input) => ({
      tag: await addFeaturedTag(hub, channel, input.name),
      baseUrl: hub.config.baseUrl,
    }),
    present: ({ tag, baseUrl }) => presentFeaturedTag(tag, baseUrl),
  }),
  endpoint({
    path: "v1/featured_tags/:id",
    methods: ["DELETE"],
    access: "channel",
    scope: "write:accounts",
    writes: true,
    summary: "Takes a hashtag away from the caller's profile.",
    answer: "Nothing",
    example: { id: "17" },
    input: z.object({ id: id("Id of the hashtag there.") }),
    async handle(hub, { channel }, input) {
      await removeFeaturedTagById(hub, channel, input.id);
      return {};
    },
  }),
  endpoint({
    path: "v1/accounts/:id/featured_tags",
    methods: ["GET"],
    access: "public",
    mayBeStale: true,
    summary: "Hashtags on somebody's profile; of people of elsewhere none are known.",
    answer: "FeaturedTag[]",
    example: { id: "17" },
    input: z.object({ id: id("Id of the person.") }),
    async handle(hub, caller, input) {
      const { observer } = await seeing(hub, caller);
      const { xchan_id } = await namedAccount(hub, observer, input.id);
      const channel = await findChannelByXchan(hub, xchan_id);
      return { tags: channel ? await featuredTagsOf(hub, channel) : [], baseUrl: hub.config.baseUrl };
    },
    present: ({ tags, baseUrl }) => tags.map((tag) => presentFeaturedTag(tag, baseUrl)),
  }),
];

type Act = (hub: Hub, channel: Caller["channel"], tag: string) => Promise<unknown>;

/** Does something about a hashtag, and answers it as it is then. */
function deed(what: string, scope: string, summary: string, act: Act): Endpoint {
  return endpoint({
    path: `v1/tags/:name/${what}`,
    methods: ["POST"],
    access: "channel",
    scope,
    writes: true,
    summary,
    answer: "Tag",
    errors,
    example: { name: "tea" },
    input: named,
    async handle(hub, caller, input) {
      await act(hub, caller.channel, input.name);
      return oneTag(hub, caller, input.name);
    },
    present: presentOne,
  });
}

async function oneTag(hub: Hub, caller: Caller | undefined, typed: string) {
  const { observer } = await seeing(hub, caller);
  const word = bareTag(typed);
  const tag = (await findTag(hub, observer, word)) ?? { id: 0, name: word };
  return { tag, around: await markedTags(hub, caller) };
}

function presentOne({ tag, around }: Awaited<ReturnType<typeof oneTag>>) {
  return presentTag(tag, around);
}
