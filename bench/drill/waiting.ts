import type { Fault } from "./faults.ts";

/** What is done behind requests: what comes of each of those that were acknowledged, and how soon after that. */

/** What comes of one request; moments in milliseconds. */
export type Awaited = {
  /** What kind of thing is waited for. */
  name: string;
  acknowledged: number;
  /** When it was there, unless it never was. */
  there: number | undefined;
};

/** Nobody takes less than this for long. */
const leastUsual = 2000;

/** How long it took before anything was wrong, but for the slowest twentieth: those that come first have what they need loaded. */
export function usualWait(awaited: readonly Awaited[], faults: readonly Fault[]): number {
  const begin = faults[0]?.from ?? Infinity;
  const before = awaited.filter(({ there = Infinity }) => there < begin).map(waitOf);
  return Math.max(leastUsual, quantile(before, 0.95));
}

/**
 * How long after a fault it took until nothing waited longer than usual any more, neither what was acknowledged before nor what came
 * after it; until the next fault.
 */
export function waitAfter(awaited: readonly Awaited[], usual: number, fault: Fault, next: number): number {
  const late = awaited.filter(
    (one) => one.acknowledged < next && (one.there ?? Infinity) > fault.from && waitOf(one) > usual,
  );
  return Math.max(0, ...late.map(({ there = Infinity }) => there - fault.over));
}

export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}

export function waitOf({ acknowledged, there = Infinity }: Awaited): number {
  return there - acknowledged;
}
