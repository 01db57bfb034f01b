import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Arrivals } from "./arrivals.ts";
import { LoopShare } from "./loop-share.ts";

/** Time passes here by statements alone, a millisecond for each. */

let moment: number;
let done: string[];
let arrivals: Arrivals;
let loop: LoopShare;

beforeEach(() => {
  moment = 0;
  done = [];
  arrivals = new Arrivals();
  loop = new LoopShare(arrivals);
  vi.spyOn(performance, "now").mockImplementation(() => moment);
});
afterEach(() => void vi.restoreAllMocks());

function visit(name: string, statements: number): Promise<void> {
  return arrivals.enter(async () => {
    for (let n = 0; n < statements; n++) {
      await loop.pause("request");
      moment += 1;
    }
    done.push(name);
  });
}

test("who came first is done first, however many statements that takes", async () => {
  await Promise.all([visit("one", 20), visit("two", 3), visit("three", 6), visit("four", 3)]);
  expect(done).toEqual(["one", "two", "three", "four"]);
});

test("whoever has taken very much of the loop goes behind those who came meanwhile", async () => {
  await Promise.all([visit("export", 100), visit("two", 3), visit("three", 6)]);
  expect(done).toEqual(["two", "three", "export"]);
});

/** As many connections come in, one with each turn of the loop. */
async function comeIn(connections: number): Promise<void> {
  for (let n = 0; n < connections; n++) {
    arrivals.cameIn();
    await new Promise(setImmediate);
    done.push("door");
  }
}

test("those at the door come in before those inside go on", async () => {
  await Promise.all([visit("inside", 12), comeIn(20)]);
  expect(done.lastIndexOf("door")).toBeLessThan(done.indexOf("inside"));
});

test("however many come in, those inside go on", async () => {
  await Promise.all([visit("inside", 12), comeIn(1000)]);
  expect(done.indexOf("inside")).toBeLessThan(400);
});
