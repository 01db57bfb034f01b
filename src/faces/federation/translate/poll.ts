import type { Node } from "./node.ts";

/** A question with answers to choose from. */
export type Poll = {
  options: { name: string; votes: number }[];
  several: boolean;
  ends: Date | undefined;
  closed: Date | undefined;
  voters: number | undefined;
};

const mostOptions = 100;
const longestOption = 255;

/** Undefined for what asks nothing, or has nothing to choose from. */
export function pollOf(node: Node): Poll | undefined {
  const one = node.nodes("oneOf");
  const several = one.length === 0;
  const options = (several ? node.nodes("anyOf") : one).flatMap((option) => {
    const name = option.text("name")?.slice(0, longestOption);
    const votes = option.nodes("replies")[0]?.number("totalItems") ?? 0;
    return name === undefined ? [] : [{ name, votes: Math.max(0, Math.trunc(votes)) }];
  });
  if (options.length === 0) return undefined;
  const voters = node.number("votersCount");
  return {
    options: options.slice(0, mostOptions),
    several,
    ends: node.date("endTime"),
    closed: node.date("closed"),
    voters,
  };
}
