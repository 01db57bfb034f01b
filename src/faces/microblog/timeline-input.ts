import type { z } from "zod";
import type { TimelineQuery } from "../../domain/items/timelines.ts";
import { bound, count, narrowing, optionalFlag, pageNumber } from "./parameters.ts";

/** The parameters of every timeline, TL of microblog contract 8. */
export const timelineInput = {
  count: count(),
  page: pageNumber(),
  since_id: bound(),
  max_id: bound(),
  include_entities: optionalFlag(),
  conversation_id: narrowing(),
  contact_id: narrowing(),
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
