import { z } from "zod";
import { reshare, resharersOf, resharesOf, takeReshareBack } from "../../../domain/items/posting/reshares.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { permitWords } from "../../words/items.ts";
import { cursor } from "./cursors.ts";
import { count, requiredId, text } from "../parameters.ts";
import { actAs, include_entities, stringify_ids } from "../shared-input.ts";
import { manyIds } from "../people/cursor-answers.ts";
import { manyStatuses, oneStatus, show } from "./status-answers.ts";
import { sourceOf } from "./source.ts";

const errors = { missing_parameter: "An id is missing.", missing: "There is no status with this id." };
const mostIds = 5000;

/** Microblog contract 8.3. */
export const retweetRows = [
  endpoint({
    path: "statuses/retweet",
    pathId: "id",
    methods: ["POST", "PUT"],
    access: "channel",
    writes: true,
    summary: "Shares a public status again; of a reshare what it repeats. What was shared before is the answer again.",
    errors: { ...errors, denied: "Forbidden", shares_limited: permitWords.shares_limited },
    example: { id: "812" },
    input: z.object({
      id: requiredId("Id of the status."),
      source: text("Name of the application."),
      include_entities,
    }),
    async handle(hub, caller, { id, source, ...wanted }, exchange) {
      const item = await reshare(hub, caller.channel, { id }, sourceOf(source, exchange));
      return show(hub, caller, [item], wanted, exchange);
    },
    ...oneStatus,
  }),
  endpoint({
    path: "statuses/unretweet",
    pathId: "id",
    methods: ["POST"],
    access: "channel",
    writes: true,
    summary: "Deletes the caller's reshare of a status and answers the status.",
    errors,
    example: { id: "812" },
    input: z.object({ id: requiredId("Id of the status."), include_entities }),
    async handle(hub, caller, { id, ...wanted }, exchange) {
      const { item } = await takeReshareBack(hub, caller.channel, { id });
      return show(hub, caller, [item], wanted, exchange);
    },
    ...oneStatus,
  }),
  endpoint({
    path: "statuses/retweets",
    pathId: "id",
    methods: ["GET"],
    access: "channel",
    summary: "The known reshares of a status, newest first.",
    errors,
    example: { id: "812" },
    input: z.object({ id: requiredId("Id of the status."), count: count(20, 100), include_entities }),
    async handle(hub, caller, { id, count: most, ...wanted }, exchange) {
      return show(hub, caller, await resharesOf(hub, caller.channel, { id }, most), wanted, exchange);
    },
    ...manyStatuses,
  }),
  endpoint({
    path: "statuses/retweeters/ids",
    methods: ["GET"],
    access: "channel",
    summary: "Ids of those who reshared a status, with cursors.",
    errors,
    example: { id: "812" },
    input: z.object({
      id: requiredId("Id of the status."),
      stringify_ids,
      cursor: cursor(),
      count: count(mostIds, mostIds),
      channel: actAs,
    }),
    async handle(hub, { channel }, input) {
      const page = await resharersOf(hub, channel, { id: input.id }, { ...input.cursor, count: input.count });
      return { page, cursored: true, asText: input.stringify_ids, input };
    },
    ...manyIds,
  }),
];
