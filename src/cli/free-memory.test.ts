import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepMemoryLow } from "./free-memory.ts";

let user = 0;
const collect = vi.fn<() => void>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("gc", collect.mockReset());
  vi.spyOn(process, "cpuUsage").mockImplementation(() => ({ user, system: 0 }));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Intervals of ten seconds in which so many seconds of CPU time are used each. */
function pass(...seconds: number[]): number {
  for (const used of seconds) {
    user += used * 1e6;
    vi.advanceTimersByTime(10_000);
  }
  return collect.mock.calls.length;
}

test("memory is given back at the start, and once after each busy time when it is over", () => {
  keepMemoryLow();
  expect(collect).toHaveBeenCalledTimes(1);
  expect(pass(0.1, 0, 0.1)).toBe(1);
  expect(pass(0.9, 0, 0.9)).toBe(1);
  expect(pass(1.2, 0.3)).toBe(1);
  expect(pass(0.1)).toBe(2);
  expect(pass(0, 0.1, 0)).toBe(2);
  expect(pass(9, 0)).toBe(3);
});
