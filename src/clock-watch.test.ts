import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchClock } from "./clock-watch.ts";
import { getLogger } from "@logtape/logtape";

let ahead = 0;
const hub = { clock: () => new Date(1_800_000_000_000 + performance.now() + ahead * 1000), log: getLogger("clock") };

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] }));
afterEach(() => void vi.useRealTimers());

test("a clock that is set back is told with the moment that it would be, until somebody has heard it", async () => {
  const heard: number[] = [];
  let fails = true;
  const end = watchClock(hub, (was) => {
    if (fails) return Promise.reject(new Error("away"));
    heard.push(was.getTime() - hub.clock().getTime());
    return Promise.resolve();
  });
  const pass = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1000);
  await pass();
  ahead = 3600;
  await pass();
  ahead = 3595;
  await pass();
  ahead = 0;
  await pass();
  fails = false;
  await pass();
  await pass();
  expect(heard).toEqual([3_595_000]);
  end();
});
