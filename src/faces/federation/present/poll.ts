import { hasEnded, pollOf } from "../../../domain/items/poll.ts";
import type { WrittenHere } from "../../../domain/items/timelines/written-here.ts";
import type { Hub } from "../../../hub.ts";
import { isoDate } from "../../../http/dates.ts";

/** What a poll, or a post that asks for a decision, says besides what a post does; undefined for other posts. */
export function pollFields(hub: Hub, { item, page }: WrittenHere): object | undefined {
  const poll = pollOf(item);
  if (poll) {
    const { ends, voters } = poll;
    return {
      [poll.several ? "anyOf" : "oneOf"]: poll.options.map(({ name, votes }) => option(name, votes)),
      ...(ends !== undefined && { endTime: isoDate(ends) }),
      ...(hasEnded(hub, poll) && { closed: ends === undefined ? true : isoDate(ends) }),
      ...(voters !== undefined && { votersCount: voters }),
    };
  }
  if (item.item_consensus === 0) return undefined;
  const given = page.reactions.get(item.id) ?? {};
  const votes = decisions.map(([name, verb]) => [name, given[verb]?.length ?? 0] as const);
  return {
    oneOf: votes.map(([name, count]) => option(name, count)),
    votersCount: votes.reduce((sum, [, count]) => sum + count, 0),
  };
}

const decisions = [
  ["Agree", "agree"],
  ["Disagree", "disagree"],
  ["Abstain", "abstain"],
] as const;

function option(name: string, totalItems: number): object {
  return { type: "Note", name, replies: { type: "Collection", totalItems } };
}
