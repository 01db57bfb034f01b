import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { Caches } from "../../../caches.ts";
import { readerTurnsOf } from "./reader-turns.ts";

/** Whose turn it is when many readers are told something. */

const turns = () => readerTurnsOf({ caches: new Caches() });
const busyFor = (milliseconds: number): void => {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
};

test("readers are told in their order, and everything else goes on between them", async () => {
  const { told, readers } = { told: [] as number[], readers: turns() };
  let between = 0;
  let isOver = false;
  const others = (async () => {
    for (; !isOver; await setImmediate()) between++;
  })();
  const tell = (n: number) => (): Promise<void> => {
    busyFor(1);
    told.push(n);
    return Promise.resolve();
  };
  await Promise.all(Array.from({ length: 50 }, (_, n) => readers.take(tell(n))));
  isOver = true;
  await others;
  expect(told).toEqual(Array.from({ length: 50 }, (_, n) => n));
  expect(between).toBeGreaterThanOrEqual(5);
});

test("whoever waits for something holds up a few only, and a failure nobody", async () => {
  const { promise: ever, resolve: release } = Promise.withResolvers<void>();
  const [readers, told] = [turns(), [] as string[]];
  const say = (word: string) => (): Promise<void> => Promise.resolve(void told.push(word));
  const slow = readers.take(() => ever);
  const failing = readers.take(() => Promise.reject(new Error("of this one")));
  await expect(failing).rejects.toThrow("of this one");
  await readers.take(say("next"));
  expect(told).toEqual(["next"]);
  release();
  await slow;
  // What comes when all have been told is told, too.
  await readers.take(say("later"));
  expect(told).toEqual(["next", "later"]);
});
