import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { tidyMemory } from "./tidy-memory.ts";

function busyTime(): WeakRef<object> {
  let left = new WeakRef({});
  for (const end = performance.now() + 300; performance.now() < end;) left = new WeakRef({ some: "garbage" });
  return left;
}

test("what a busy time leaves behind is collected when there is little to do again", async () => {
  const stop = tidyMemory(100);
  try {
    await wait(300);
    const left = busyTime();
    await expect.poll(() => left.deref() === undefined, { timeout: 10_000 }).toBe(true);
  } finally {
    stop();
  }
});
