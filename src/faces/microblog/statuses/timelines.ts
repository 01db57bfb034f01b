import { z } from "zod";
import { markSeen } from "../../../domain/items/timelines/stream.ts";
import {
  homeTimeline,
  mentionsTimeline,
  networkPublicTimeline,
  publicTimeline,
  retweetsOfMe,
  userTimeline,
} from "../../../domain/items/timelines/timelines.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { namedPerson, personInput } from "../people/named-person.ts";
import { exclude_replies } from "../shared-input.ts";
import { manyStatuses, show, statusFeed } from "./status-answers.ts";
import { timelineInput, timelineQuery } from "./timeline-input.ts";

const input = z.object({ ...timelineInput, exclude_replies });

/** Microblog contract 8.2. */
export const timelineRows = [
  endpoint({
    path: "statuses/home_timeline",
    aliases: ["statuses/friends_timeline"],
    methods: "*",
    access: "channel",
    summary: "Everything in the caller's stream; what is answered becomes seen.",
    example: { count: "10" },
    input,
    async handle(hub, caller, input, exchange) {
      const items = await homeTimeline(hub, caller.channel, timelineQuery(input));
      const shown = await show(hub, caller, items, input, exchange);
      await markSeen(hub, caller.channel, items);
      return shown;
    },
    ...statusFeed("Stream"),
  }),
  endpoint({
    path: "statuses/public_timeline",
    methods: "*",
    access: "channel",
    summary: "Public posts and comments made on this hub by people who do not hide.",
    input,
    async handle(hub, caller, input, exchange) {
      return show(hub, caller, await publicTimeline(hub, caller.channel, timelineQuery(input)), input, exchange);
    },
    ...statusFeed("Public posts"),
  }),
  endpoint({
    path: "statuses/networkpublic_timeline",
    methods: "*",
    access: "channel",
    summary: "All public posts and comments that this hub knows of.",
    input,
    async handle(hub, caller, input, exchange) {
      return show(hub, caller, await networkPublicTimeline(hub, caller.channel, timelineQuery(input)), input, exchange);
    },
    ...statusFeed("All public posts"),
  }),
  endpoint({
    path: "statuses/mentions",
    aliases: ["statuses/replies", "statuses/mentions_timeline"],
    methods: "*",
    access: "channel",
    summary: "What others wrote that mentions the caller or answers the caller.",
    input: z.object(timelineInput),
    async handle(hub, caller, input, exchange) {
      return show(hub, caller, await mentionsTimeline(hub, caller.channel, timelineQuery(input)), input, exchange);
    },
    ...statusFeed("Mentions"),
  }),
  endpoint({
    path: "statuses/user_timeline",
    pathId: "id",
    methods: "*",
    access: "channel",
    summary: "What one person wrote, as far as the caller may see it; without a person the caller's own.",
    example: { screen_name: "bob" },
    input: input.extend(personInput),
    async handle(hub, caller, input, exchange) {
      const author = await namedPerson(hub, caller.observer, input);
      return show(hub, caller, await userTimeline(hub, caller.channel, author, timelineQuery(input)), input, exchange);
    },
    ...statusFeed("Posts", "author"),
  }),
  endpoint({
    path: "statuses/retweets_of_me",
    methods: ["GET"],
    access: "channel",
    summary: "What the caller wrote and others have shared.",
    input: z.object(timelineInput),
    async handle(hub, caller, input, exchange) {
      return show(hub, caller, await retweetsOfMe(hub, caller.channel, timelineQuery(input)), input, exchange);
    },
    ...manyStatuses,
  }),
];
