import { z } from "zod";
import { deleteItem } from "../../../domain/items/posting/delete.ts";
import { findStatus } from "../../../domain/items/find.ts";
import { wholeThread } from "../../../domain/items/timelines/thread-timeline.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { permitWords } from "../../words/items.ts";
import { mediaErrors } from "../media/media-input.ts";
import { flag, requiredId } from "../parameters.ts";
import { include_entities } from "../shared-input.ts";
import { manyStatuses, oneStatus, show } from "./status-answers.ts";
import type { StatusAnswers } from "./status-answers.ts";
import { updateInput, updateStatus } from "./update-status.ts";

const noId = "An id is missing.";
const noStatus = "There is no status with this id.";
const mostOfThread = 1000;

/** Microblog contract 8.3. */
export const statusRows = [
  endpoint({
    path: "statuses/show",
    pathId: "id",
    methods: "*",
    access: "channel",
    summary: "One status, or with `conversation` the whole thread that it is in, newest first.",
    answer: "Status | Status[]",
    errors: { missing_parameter: noId, missing: noStatus },
    example: { id: "812" },
    input: z.object({
      id: requiredId("Id of the status."),
      conversation: flag("The whole thread that the status is in."),
      include_entities,
    }),
    async handle(hub, caller, { id, conversation, ...wanted }, exchange) {
      const item = await findStatus(hub, caller.channel, { id });
      const items = conversation
        ? await wholeThread(hub, caller.channel, item, { count: mostOfThread, page: 1 })
        : [item];
      return { shown: await show(hub, caller, items, wanted, exchange), conversation };
    },
    present: ({ shown, conversation }, exchange) => (conversation ? manyStatuses : oneStatus).present(shown, exchange),
  }),
  endpoint({
    path: "statuses/update",
    aliases: ["statuses/update_with_media", "statuses/mediap"],
    methods: ["POST", "PUT"],
    access: "channel",
    writes: true,
    files: ["media"],
    base64: true,
    summary: "Posts or answers, with media that were uploaded before or that come along.",
    errors: {
      ...mediaErrors,
      storage_full: "The storage of this account is used up.",
      no_content: "Empty post discarded.",
      text_too_long: [400, "Status is too long."],
      unknown_audience: "acl data invalid",
      missing: noStatus,
      denied: "Permission denied.",
      shares_limited: permitWords.shares_limited,
      quotes_limited: permitWords.quotes_limited,
    },
    example: { status: "Hello world" },
    input: updateInput,
    async handle(hub, caller, input, exchange) {
      const item = await updateStatus(hub, caller.channel, input, exchange);
      // Under a message id there may have been one before.
      const fresh = input.message_id === undefined;
      return show(hub, caller, [item], { ...input, fresh }, exchange);
    },
    ...oneStatus,
  }),
  endpoint({
    path: "statuses/destroy",
    pathId: "id",
    methods: ["POST", "DELETE"],
    access: "channel",
    writes: true,
    summary: "Deletes a status, or only the caller's copy of somebody else's; answers it as it was.",
    errors: { missing_parameter: noId, missing: noStatus, denied: "Forbidden" },
    example: { id: "812" },
    input: z.object({ id: requiredId("Id of the status."), include_entities }),
    async handle(hub, caller, { id, ...wanted }, exchange): Promise<StatusAnswers> {
      const item = await findStatus(hub, caller.channel, { id });
      const before = await show(hub, caller, [item], wanted, exchange);
      await deleteItem(hub, caller.channel, { id: item.id });
      return before;
    },
    ...oneStatus,
  }),
];
