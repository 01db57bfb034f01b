import { z } from "zod";
import { listTimeline } from "../../../domain/items/timelines/list-timeline.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { listInput, namedList } from "./named-list.ts";
import { exclude_replies } from "../shared-input.ts";
import { manyStatuses, show } from "../statuses/status-answers.ts";
import { timelineInput, timelineQuery } from "../statuses/timeline-input.ts";

/** Microblog contract 8.10. */
export const listStatusRows = [
  endpoint({
    path: "lists/statuses",
    methods: "*",
    access: "channel",
    summary: "What the members of one of the caller's lists wrote, as far as the caller may see it.",
    errors: { no_list: "list_id not specified", missing: "gid not available" },
    example: { list_id: "3" },
    input: z.object({ ...timelineInput, ...listInput, exclude_replies }),
    async handle(hub, caller, input, exchange) {
      const { id } = await namedList(hub, caller, input);
      return show(hub, caller, await listTimeline(hub, caller.channel, id, timelineQuery(input)), input, exchange);
    },
    ...manyStatuses,
  }),
];
