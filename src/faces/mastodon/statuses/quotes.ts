import { z } from "zod";
import { findOwnWriting, findShown } from "../../../domain/items/find.ts";
import { stopQuoting } from "../../../domain/items/posting/quotations.ts";
import { originalSeen, quotesOf } from "../../../domain/items/posting/reshares.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { id } from "../parameters.ts";
import { pageInput, windowOf } from "../paging.ts";
import { showOne, statusId } from "./named-status.ts";
import { manyStatuses, oneStatus, showPage } from "./status-answers.ts";

/** Mastodon contract 11.8 and 12.5. */
export const quoteRows = [
  endpoint({
    path: "v1/statuses/:id/quotes",
    methods: ["GET"],
    access: "channel",
    scope: "read:statuses",
    summary: "Posts that quote a post with words of their own.",
    example: { id: "812" },
    input: z.object({ ...statusId.shape, ...pageInput(20) }),
    handle: async (hub, caller, input) =>
      showPage(hub, caller, await quotesOf(hub, caller.observer, { id: input.id }, windowOf(input)), input.limit),
    ...manyStatuses,
  }),
  endpoint({
    path: "v1/statuses/:id/quotes/:quoting/revoke",
    methods: ["POST"],
    access: "channel",
    scope: "write:statuses",
    writes: true,
    summary:
      "Takes back that a post of the caller is quoted: a link stands there instead. Answers the post that quoted it.",
    example: { id: "812", quoting: "813" },
    input: statusId.extend({ quoting: id("Id of the post that quotes it.") }),
    async handle(hub, caller, input) {
      const { observer, channel } = caller;
      const named = await originalSeen(hub, observer, await findShown(hub, observer, { id: input.id }));
      const own = await findOwnWriting(hub, channel, { mid: named.mid });
      await stopQuoting(hub, channel, { id: own.id }, { id: input.quoting });
      return showOne(hub, caller, input.quoting);
    },
    ...oneStatus,
  }),
];
