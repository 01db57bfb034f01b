import { expect, test } from "vitest";
import { FairQueue } from "./fair-queue.ts";

test("the longer background work has taken, the longer requests go before it, while there are any", () => {
  const queue = new FairQueue<string>();
  queue.push("job", "background", 1);
  queue.push("question", "request", 2);
  expect(queue.next).toBe("background");
  queue.took(60_000);
  expect(queue.next).toBe("request");
  expect(queue.shift()).toBe("question");
  expect(queue.shift()).toBe("job");
  expect(queue.shift()).toBeUndefined();
});

test("requests go in the order of their places, however often they come back", () => {
  const queue = new FairQueue<string>();
  for (const place of [3, 1, 2, 1]) queue.push(`${place}`, "request", place);
  queue.push("0", "request", 0);
  expect(Array.from({ length: 5 }, () => queue.shift())).toEqual(["0", "1", "1", "2", "3"]);
});
