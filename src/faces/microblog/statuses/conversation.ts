import { z } from "zod";
import { findStatus } from "../../../domain/items/find.ts";
import { directAnswers, wholeThread } from "../../../domain/items/timelines/thread-timeline.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { requiredId } from "../parameters.ts";
import { manyStatuses, show } from "./status-answers.ts";
import { timelineInput, timelineQuery } from "./timeline-input.ts";

/** Clients of these servers expect the whole thread (microblog contract 2.5). */
const wholeThreadUnder: readonly string[] = ["statusnet", "gnusocial"];

/** Microblog contract 8.5. */
export const conversationRows = [
  endpoint({
    path: "conversation/show",
    aliases: ["compat/conversation"],
    pathId: "id",
    methods: "*",
    access: "channel",
    summary: "Direct answers to a status; under `statusnet/` and `gnusocial/` its whole thread.",
    errors: { missing_parameter: "An id is missing.", missing: "There is no status with this id." },
    example: { id: "812" },
    input: z.object({ ...timelineInput, id: requiredId("Id of the status.") }),
    async handle(hub, caller, input, exchange) {
      const item = await findStatus(hub, caller.channel, { id: input.id });
      const read = wholeThreadUnder.includes(exchange.alias) ? wholeThread : directAnswers;
      return show(hub, caller, await read(hub, caller.channel, item, timelineQuery(input)), input, exchange);
    },
    ...manyStatuses,
  }),
];
