import { expect, test } from "vitest";
import { cache, Caches, oncePerHub } from "./caches.ts";

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
