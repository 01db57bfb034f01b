import type { z } from "zod";
import type { TimelineQuery } from "../../../domain/items/timelines/timelines.ts";
import { count, narrowing, pageNumber } from "../parameters.ts";
import { include_entities, max_id, since_id } from "../shared-input.ts";

/** The parameters of every timeline. */
export const timelineInput = {
  count: count(),
  page: pageNumber(),
  since_id,
  max_id,
  include_entities,
  conversation_id: narrowing("Only what belongs to the conversation with this id."),
  contact_id: narrowing("`cid` of a connection: only what that person wrote."),
};

type TimelineInput = { [name in keyof typeof timelineInput]: z.output<(typeof timelineInput)[name]> } & {
  exclude_replies?: boolean;
};

/** The page that was asked for. */
export function timelineQuery(input: TimelineInput): TimelineQuery {
  return {
    count: input.count,
    page: input.page,
    sinceId: input.since_id,
    maxId: input.max_id,
    excludeReplies: input.exclude_replies ?? false,
    ...(input.conversation_id !== undefined && { conversationId: input.conversation_id }),
    ...(input.contact_id !== undefined && { contactId: input.contact_id }),
  };
}
