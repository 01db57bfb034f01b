import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { together } from "./together.ts";

function counting(most: number) {
  const calls: number[][] = [];
  const double = together(most, async (all: readonly number[]) => {
    calls.push([...all]);
    await turn();
    if (all.includes(13)) throw new Error(`13 of ${all.length}`);
    return all.map((one) => 2 * one);
  });
  return { calls, double };
}

test("who comes while it is done for others waits, and goes with all who have come", async () => {
  const { calls, double } = counting(3);
  expect(await Promise.all([1, 2, 3, 4, 5].map(double))).toEqual([2, 4, 6, 8, 10]);
  expect(calls).toEqual([[1], [2, 3, 4], [5]]);
  expect(await double(6)).toBe(12);
  expect(calls.at(-1)).toEqual([6]);
});

test("what fails for one fails for nobody else", async () => {
  const { double } = counting(8);
  const results = await Promise.allSettled([1, 2, 13, 4].map(double));
  expect(results.map((result) => (result.status === "fulfilled" ? result.value : String(result.reason)))).toEqual([
    2,
    4,
    "Error: 13 of 1",
    8,
  ]);
  expect(await double(5)).toBe(10);
});
