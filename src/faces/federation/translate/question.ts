import type { Post } from "./object.ts";

/** What is asked, in the one form in which the hub keeps it (domain/items/poll.ts); empty for what asks nothing. */
export function questionOf({ id, poll }: Pick<Post, "id" | "poll">): string {
  if (!poll) return "";
  const options = poll.options.map(({ name, votes }) => ({
    type: "Note",
    name,
    replies: { type: "Collection", totalItems: votes },
  }));
  return JSON.stringify({
    type: "Question",
    id,
    [poll.several ? "anyOf" : "oneOf"]: options,
    ...(poll.ends && { endTime: poll.ends.toISOString() }),
    ...(poll.closed && { closed: poll.closed.toISOString() }),
    ...(poll.voters !== undefined && { votersCount: poll.voters }),
  });
}
