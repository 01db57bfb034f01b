import { expect, test } from "vitest";
import { boundedMap, cache, Caches, oncePerHub } from "./caches.ts";

/** What modules keep of a hub. */

const numbers = cache<string, number>(2);
const others = cache<string, number>(2);
const list = oncePerHub((): string[] => []);

test("a cache forgets its oldest entry when there are too many", () => {
  const hub = { caches: new Caches() };
  for (const [key, value] of Object.entries({ one: 1, two: 2 })) numbers(hub).set(key, value);
  numbers(hub).set("one", 10);
  numbers(hub).set("three", 3);
  expect(["one", "two", "three"].map((key) => numbers(hub).get(key))).toEqual([10, undefined, 3]);
  numbers(hub).delete("one");
  expect(numbers(hub).get("one")).toBeUndefined();
});

test("where entries are weighed, the oldest ones make room for those that are heavy", () => {
  const words = boundedMap<string, string>(10, (word) => word.length);
  for (const [key, word] of Object.entries({ one: "aaa", two: "bbb", three: "cccc" })) words.set(key, word);
  expect(words.size).toBe(3);
  words.set("two", "b");
  words.set("four", "ddddd");
  expect(["one", "two", "three", "four"].map((key) => words.get(key))).toEqual([undefined, "b", "cccc", "ddddd"]);
  words.delete("three");
  words.set("five", "eeee");
  expect([words.get("two"), words.get("four"), words.get("five")]).toEqual(["b", "ddddd", "eeee"]);
});

test("two declarations share nothing, and neither do two hubs", () => {
  const [hub, other] = [{ caches: new Caches() }, { caches: new Caches() }];
  numbers(hub).set("one", 1);
  expect([others(hub).get("one"), numbers(other).get("one"), numbers(hub).get("one")]).toEqual([
    undefined,
    undefined,
    1,
  ]);
  list(hub).push("kept");
  expect([list(hub), list({ ...hub }), list(other)]).toEqual([["kept"], ["kept"], []]);
});
