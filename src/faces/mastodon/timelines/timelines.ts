import { z } from "zod";
import { listTimeline } from "../../../domain/items/timelines/list-timeline.ts";
import { publicStatuses } from "../../../domain/items/timelines/public-statuses.ts";
import {
  favorites,
  homeOfApplications,
  networkPublicTimeline,
  publicTimeline,
  userTimeline,
} from "../../../domain/items/timelines/timelines.ts";
import type { TimelineQuery } from "../../../domain/items/timelines/timelines.ts";
import { activeGroup } from "../../../domain/groups/groups.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { namedAccount } from "../accounts/named-account.ts";
import { flag, id } from "../parameters.ts";
import { pageInput } from "../paging.ts";
import { seeing } from "../seeing.ts";
import { manyStatuses, showPage } from "../statuses/status-answers.ts";

const input = z.object(pageInput(20));

type PageInput = z.output<typeof input>;

/** Mastodon contract 12.6. */
export const timelineRows = [
  endpoint({
    path: "v1/timelines/home",
    methods: ["GET"],
    access: "channel",
    scope: "read:statuses",
    summary: "Everything in the caller's stream.",
    input,
    handle: async (hub, caller, input) =>
      showPage(hub, caller, await homeOfApplications(hub, caller.channel, queryOf(input)), input.limit),
    ...manyStatuses,
  }),
  endpoint({
    path: "v1/timelines/public",
    methods: ["GET"],
    access: "public",
    summary: "Public posts and comments, with `local` those of this hub; without a token always those.",
    input: input.extend({ local: flag("Only what was written here.") }),
    async handle(hub, caller, input) {
      const anybody = await seeing(hub, caller);
      const query = queryOf(input);
      const items = caller
        ? await (input.local ? publicTimeline : networkPublicTimeline)(hub, caller.channel, query)
        : await publicStatuses(hub, anybody.observer, query);
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
      return showPage(hub, caller, await listTimeline(hub, caller.channel, group.id, queryOf(input)), input.limit);
    },
    ...manyStatuses,
  }),
  endpoint({
    path: "v1/accounts/:id/statuses",
    methods: ["GET"],
    access: "public",
    summary: "What somebody wrote, as far as the caller may see it.",
    example: { id: "17" },
    input: input.extend({
      id: id("Id of the person."),
      exclude_replies: flag("Only what is no answer to something else."),
      pinned: flag("Only what is pinned; not told here yet."),
    }),
    async handle(hub, caller, input) {
      const anybody = await seeing(hub, caller);
      const { xchan_id: author } = await namedAccount(hub, anybody.observer, input.id);
      const query = { ...queryOf(input), excludeReplies: input.exclude_replies };
      if (input.pinned) return showPage(hub, anybody, [], input.limit);
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
