import { expect, test } from "vitest";
import { FairQueue } from "./fair-queue.ts";

test("the longer background work has taken, the longer requests go before it, while there are any", () => {
  const queue = new FairQueue<string>();
  queue.push("job", "background");
  queue.push("question", "request");
  expect(queue.next).toBe("background");
  queue.took(60_000);
  expect(queue.next).toBe("request");
  expect(queue.shift()).toBe("question");
  expect(queue.shift()).toBe("job");
  expect(queue.shift()).toBeUndefined();
});
