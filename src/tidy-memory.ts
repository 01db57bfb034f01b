import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collect = (options: { type: "major"; execution: "async" }) => Promise<void>;

/** How often to look, in milliseconds, and which part of that time the event loop has worked at least in a busy one. */
const usualInterval = 10_000;
const busy = 0.2;

/**
 * V8 collects garbage when it needs room, and so what a busy time leaves behind would stay for as long as nothing
 * happens. This has it collected as soon as the event loop has little to do again, until the answered function is called.
 */
export function tidyMemory(interval = usualInterval): () => void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as Collect;
  let last = performance.eventLoopUtilization();
  // The start was busy.
  let isLeft = true;
  const timer = setInterval(() => {
    const current = performance.eventLoopUtilization();
    const isBusy = performance.eventLoopUtilization(current, last).utilization > busy;
    last = current;
    if (isLeft && !isBusy) void collect({ type: "major", execution: "async" });
    isLeft = isBusy;
  }, interval);
  timer.unref();
  return () => clearInterval(timer);
}
