import { z } from "zod";
import { block, pageOfPeople, unblock } from "../../../domain/connections/connections.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { cursor } from "../statuses/cursors.ts";
import { idsRow } from "./friends.ts";
import { count, pageNumber } from "../parameters.ts";
import { actAs, include_entities, profileurl, screen_name, user_id } from "../shared-input.ts";
import { personDeed } from "./person-deed.ts";
import { isCursored, showPage, userPage } from "./cursor-answers.ts";
import { noStatus } from "./user-answers.ts";

const errors = {
  no_user: "no user_id specified",
  own_channel: [403, "Forbidden"],
} as const;

const blockInput = z.object({ user_id, screen_name, profileurl });

/** Microblog contract 8.9. */
export const blockRows = [
  endpoint({
    path: "blocks/list",
    methods: "*",
    access: "channel",
    summary: "The people whom the caller has blocked.",
    input: z.object({
      count: count(),
      page: pageNumber(),
      cursor: cursor(),
      include_entities,
      channel: actAs,
    }),
    async handle(hub, caller, input, exchange) {
      const cursored = isCursored(input.cursor, exchange);
      const numbered = { count: input.count, skip: (input.page - 1) * input.count };
      const window = cursored ? { ...input.cursor, count: input.count } : numbered;
      const page = await pageOfPeople(hub, caller.channel.channel_id, "blocked", window);
      return showPage(hub, caller, { page, cursored, input }, noStatus, exchange);
    },
    ...userPage,
  }),
  idsRow("blocks/ids", "blocked", ["GET"], "Ids of the people whom the caller has blocked."),
  endpoint({
    path: "blocks/create",
    methods: ["POST", "PUT"],
    summary: "Blocks somebody: nothing goes in either direction any more. Repeating it changes nothing.",
    errors,
    example: { screen_name: "bob" },
    input: blockInput,
    ...personDeed(block),
  }),
  endpoint({
    path: "blocks/destroy",
    methods: ["POST", "DELETE"],
    summary: "Ends a block; what there was before is there again.",
    errors,
    example: { screen_name: "bob" },
    input: blockInput,
    ...personDeed((hub, channel, person) => unblock(hub, channel, person.xchan_hash)),
  }),
];
