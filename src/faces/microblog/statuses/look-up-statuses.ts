import { z } from "zod";
import { findStatuses } from "../../../domain/items/timelines/find-statuses.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { idList } from "../parameters.ts";
import { include_entities } from "../shared-input.ts";
import { manyStatuses, show } from "./status-answers.ts";

const most = 100;

/** Microblog contract 8.3. */
export const lookUpStatusRows = [
  endpoint({
    path: "statuses/lookup",
    methods: ["GET", "POST"],
    access: "channel",
    summary: "Several statuses, in the order in which they are named; what is not there is left out.",
    errors: { missing_parameter: "An id is missing." },
    example: { id: "812,813" },
    input: z.object({ id: idList("Ids of the statuses, at most 100.", most), include_entities }),
    async handle(hub, caller, { id, ...wanted }, exchange) {
      return show(hub, caller, await findStatuses(hub, caller.observer, id), wanted, exchange);
    },
    ...manyStatuses,
  }),
];
