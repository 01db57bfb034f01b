import { z } from "zod";
import { listTimeline } from "../../../domain/items/timelines/list-timeline.ts";
import { likedStatuses } from "../../../domain/items/timelines/likes.ts";
import type { Narrowed } from "../../../domain/items/timelines/narrowed.ts";
import { pinnedStatuses } from "../../../domain/items/timelines/pinned-items.ts";
import { publicStatuses } from "../../../domain/items/timelines/public-statuses.ts";
import {
  favorites,
  homeOfApplications,
  networkPublicTimeline,
  publicTimeline,
  userTimeline,
} from "../../../domain/items/timelines/timelines.ts";
import { tagTimeline } from "../../../domain/items/timelines/search.ts";
import type { TimelineQuery } from "../../../domain/items/timelines/timelines.ts";
import { activeGroup } from "../../../domain/groups/groups.ts";
import { listChoices } from "../../../domain/groups/list-choices.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { namedAccount } from "../accounts/named-account.ts";
import { flag, id, requiredText, text, texts } from "../parameters.ts";
import { edgesOf, pageInput, windowOf } from "../paging.ts";
import { seeing } from "../seeing.ts";
import { manyStatuses, showPage, showStatuses } from "../statuses/status-answers.ts";

const input = z.object(pageInput(20));

const local = flag("Only what was written here.");
const remote = flag("Only what was written elsewhere.");
const only_media = flag("Only what has pictures, films or files.");

/** So many hashtags of each kind. */
const mostTags = 4;

function tags(description: string) {
  return texts(`${description} At most ${mostTags}.`);
}

type Narrowing = { local: boolean; remote: boolean; only_media: boolean };

function narrowedBy(asked: Narrowing): Narrowed {
  return {
    onlyMedia: asked.only_media,
    written: asked.local ? "here" : asked.remote ? "elsewhere" : undefined,
  };
}

type PageInput = z.output<typeof input>;

/** Mastodon contract 12.6. */
export const timelineRows = [
  endpoint({
    path: "v1/timelines/home",
    methods: ["GET"],
    access: "channel",
    scope: "read:statuses",
    summary: "What those write and share whom the caller follows, and what answers the caller.",
    input: input.extend({ hubbub_comments: text("`all`: every comment of every thread in the caller's stream.") }),
    async handle(hub, caller, input) {
      const comments = input.hubbub_comments === "all" ? "all" : "known";
      return showPage(
        hub,
        caller,
        await homeOfApplications(hub, caller.channel, queryOf(input), comments),
        input.limit,
      );
    },
    ...manyStatuses,
  }),
  endpoint({
    path: "v1/timelines/public",
    methods: ["GET"],
    access: "public",
    mayBeStale: true,
    summary: "Public posts and comments, with `local` those of this hub; without a token always those.",
    input: input.extend({ local, remote, only_media }),
    async handle(hub, caller, input) {
      const anybody = await seeing(hub, caller);
      const query = { ...queryOf(input), ...narrowedBy(input), excludeShares: true };
      const items = caller
        ? await (input.local ? publicTimeline : networkPublicTimeline)(hub, caller.channel, query)
        : await publicStatuses(hub, anybody.observer, query);
      return showPage(hub, anybody, items, input.limit);
    },
    ...manyStatuses,
  }),
  endpoint({
    path: "v1/timelines/tag/:hashtag",
    methods: ["GET"],
    access: "public",
    mayBeStale: true,
    summary: "Posts with a hashtag: public ones, and those that the caller got.",
    example: { hashtag: "tea" },
    input: input.extend({
      hashtag: requiredText("The word, with or without its sign."),
      any: tags("Further hashtags, of which one is enough."),
      all: tags("Hashtags that must all be there as well."),
      none: tags("Hashtags that must not be there."),
      local,
      remote,
      only_media,
    }),
    async handle(hub, caller, input) {
      const anybody = await seeing(hub, caller);
      const bare = (words: readonly string[]) => words.slice(0, mostTags).map((word) => word.replace(/^#+/, ""));
      const items = await tagTimeline(hub, anybody.observer, {
        ...queryOf(input),
        ...narrowedBy(input),
        any: bare([input.hashtag, ...input.any.slice(0, mostTags - 1)]),
        all: bare(input.all),
        none: bare(input.none),
      });
      return showPage(hub, anybody, items, input.limit);
    },
    ...manyStatuses,
  }),
  endpoint({
    path: "v1/timelines/list/:id",
    methods: ["GET"],
    access: "channel",
    scope: "read:lists",
    summary: "What the members of one of the caller's groups wrote.",
    example: { id: "3" },
    input: input.extend({ id: id("Id of the group.") }),
    async handle(hub, caller, input) {
      const group = await activeGroup(hub, caller.channel.channel_id, input.id);
      const { replies } = (await listChoices(hub, group.uid))(group);
      const items = await listTimeline(hub, caller.channel, group.id, queryOf(input), replies);
      return showPage(hub, caller, items, input.limit);
    },
    ...manyStatuses,
  }),
  endpoint({
    path: "v1/accounts/:id/statuses",
    methods: ["GET"],
    access: "public",
    mayBeStale: true,
    summary: "What somebody wrote, as far as the caller may see it.",
    example: { id: "17" },
    input: input.extend({
      id: id("Id of the person."),
      exclude_replies: flag("No answers but those in threads of the same person."),
      exclude_reblogs: flag("No shares without words."),
      only_media,
      pinned: flag("Only what is pinned, the newest pin first."),
      tagged: text("Only what has this hashtag."),
    }),
    async handle(hub, caller, input) {
      const anybody = await seeing(hub, caller);
      const person = await namedAccount(hub, anybody.observer, input.id);
      const author = person.xchan_id;
      const query = {
        ...queryOf(input),
        onlyOwnThreads: input.exclude_replies,
        excludeShares: input.exclude_reblogs,
        onlyMedia: input.only_media,
        tagged: input.tagged?.replace(/^#+$/, "") || undefined,
      };
      if (input.pinned) {
        const pinned = await pinnedStatuses(hub, anybody.observer, person, caller?.channel);
        return showStatuses(hub, anybody, pinned.slice(0, input.limit));
      }
      const items = caller
        ? await userTimeline(hub, caller.channel, author, query)
        : await publicStatuses(hub, anybody.observer, query, author);
      return showPage(hub, anybody, items, input.limit);
    },
    ...manyStatuses,
  }),
  endpoint({
    path: "v1/bookmarks",
    methods: ["GET"],
    access: "channel",
    scope: "read:bookmarks",
    summary: "What the caller has starred.",
    input,
    handle: async (hub, caller, input) =>
      showPage(hub, caller, await favorites(hub, caller.channel, queryOf(input)), input.limit),
    ...manyStatuses,
  }),
  endpoint({
    path: "v1/favourites",
    methods: ["GET"],
    access: "channel",
    scope: "read:favourites",
    summary: "What the caller likes, what was liked last first; its pages go by the ids of the likes.",
    input,
    async handle(hub, caller, input) {
      const { statuses, keys } = await likedStatuses(hub, caller.channel, windowOf(input));
      return { ...(await showStatuses(hub, caller, statuses)), edges: edgesOf(keys, keys.length >= input.limit) };
    },
    ...manyStatuses,
  }),
];

/** Here bounds are not part of what they bound. */
function queryOf({ limit, max_id, since_id, min_id }: PageInput): TimelineQuery {
  return {
    count: limit,
    page: 1,
    ...(max_id !== undefined && { maxId: max_id - 1 }),
    ...(since_id !== undefined && min_id === undefined && { sinceId: since_id }),
    ...(min_id !== undefined && { minId: min_id }),
  };
}
