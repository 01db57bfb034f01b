import type { Fault } from "./faults.ts";
import type { Load, Sent } from "./load.ts";
import { quantile, usualWait, waitAfter, waitOf } from "./waiting.ts";
import type { Awaited } from "./waiting.ts";

/** What a hub has said that it has taken, and what is there in the end. */
export type Kept = { name: string; acknowledged: readonly string[]; stored: readonly string[] };

/** So many milliseconds after a fault is over everything is as before. */
export const longest = 15_000;

/** The figures as a table, and whether they are as they should be. */
export function report(
  load: Load,
  faults: readonly Fault[],
  awaited: readonly Awaited[],
  kept: readonly Kept[],
): { text: string; isGood: boolean } {
  const names = [...new Set(load.sent.map(({ name }) => name))];
  const recoveries = faults.map((fault, at) => recovery(load.sent, fault, faults[at + 1]?.from ?? Infinity));
  const waits = waitsOf(awaited, faults);
  const losses = kept.map(({ name, acknowledged, stored }) => {
    const there = new Set(stored);
    const lost = acknowledged.filter((text) => !there.has(text)).length;
    const twice = stored.length - there.size;
    return { name, acknowledged: acknowledged.length, stored: stored.length, lost, twice };
  });
  const wrong = load.sent.filter(({ outcome }) => outcome.startsWith("wrong"));
  const outside = load.sent.filter((sent) => sent.outcome !== "taken" && !faults.some((fault) => isOf(sent, fault)));
  const lines = [
    ...names.map((name) =>
      lineOf(
        name,
        load.sent.filter((sent) => sent.name === name),
      ),
    ),
    ...(load.leftOut > 0 ? [`left out, since too many were under way: ${load.leftOut}`] : []),
    ...recoveries.map(({ name, last, faults }, at) => {
      const late = waits.map((wait) => `${wait.name} for ${seconds(wait.after[at]!)}`);
      return `${name}: ${faults} not taken, the last ${seconds(last)} after it was over; late after that: ${late.join(", ")}`;
    }),
    ...waits.map(
      ({ name, middle, usual }) =>
        `${name}: there ${seconds(middle)} later in the middle, late after ${seconds(usual)}`,
    ),
    ...losses.map(
      ({ name, acknowledged, stored, lost, twice }) =>
        `${name}: ${acknowledged} acknowledged, ${stored} stored, ${lost} lost, ${twice} twice`,
    ),
    ...(wrong.length > 0
      ? [`other answers than 503 with Retry-After: ${[...new Set(wrong.map(({ outcome }) => outcome))].join(", ")}`]
      : []),
    ...(outside.length > 0 ? [`not taken while nothing was wrong: ${outside.length}`] : []),
  ];
  const isGood =
    wrong.length === 0 &&
    outside.length === 0 &&
    recoveries.every(({ last }) => last <= longest) &&
    waits.every(({ after }) => after.every((wait) => wait <= longest)) &&
    losses.every(({ lost, twice }) => lost === 0 && twice === 0);
  return { text: `${lines.join("\n")}\n`, isGood };
}

function lineOf(name: string, sent: readonly Sent[]): string {
  const count = (outcome: Sent["outcome"]): number => sent.filter((one) => one.outcome === outcome).length;
  const times = sent.filter(({ outcome }) => outcome === "taken").map(({ from, to }) => to - from);
  const at = (share: number): string => `${Math.round(quantile(times, share))} ms`;
  return (
    `${name}: ${sent.length} sent, ${count("taken")} taken, ${count("busy")} told to come back, ` +
    `${count("broken")} without an answer; ${at(0.5)} in the middle, ${at(0.99)} for 99 of 100, ${at(1)} at most`
  );
}

/** Was it on its way while this was so, or in the time that the hub has to get over it? */
function isOf({ from, to }: Sent, fault: Fault): boolean {
  return to >= fault.from && from <= fault.over + longest;
}

/** What was not taken from there until the next fault, and when the last of it was answered, counted from the end of this one. */
function recovery(sent: readonly Sent[], fault: Fault, next: number): { name: string; last: number; faults: number } {
  const hit = sent.filter(({ outcome, to }) => outcome !== "taken" && to >= fault.from && to < next);
  return { name: fault.name, last: Math.max(0, ...hit.map(({ to }) => to - fault.over)), faults: hit.length };
}

/** How long each kind of thing is waited for, and when after each fault nothing was late any more. */
function waitsOf(
  awaited: readonly Awaited[],
  faults: readonly Fault[],
): { name: string; middle: number; usual: number; after: number[] }[] {
  const names = [...new Set(awaited.map(({ name }) => name))];
  return names.map((name) => {
    const these = awaited.filter((one) => one.name === name);
    const usual = usualWait(these, faults);
    const after = faults.map((fault, at) => waitAfter(these, usual, fault, faults[at + 1]?.from ?? Infinity));
    return { name, middle: quantile(these.map(waitOf), 0.5), usual, after };
  });
}

function seconds(milliseconds: number): string {
  if (milliseconds === Infinity) return "never";
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
