import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { importSketch } from "./import-sketch.ts";
import { closeSketch, findSketch } from "./sketches.ts";

let world: TestApp;
let ann: Person;

beforeAll(async () => {
  world = await openTestApp();
  ann = await world.person("ann");
});
afterAll(() => world.close());

const draft = {
  name: "from-elsewhere",
  place: "/network?in=1",
  fields: [
    { name: "body", value: "Half a thought" },
    { name: "media_id", value: "1" },
  ],
  changed: "2026-02-03 04:05:06",
};
const take = (changes: object) => importSketch(world.hub, ann.channel, { ...draft, ...changes });

test("a draft comes along once, without the numbers of its files", async () => {
  expect([await take({}), await take({ fields: [{ name: "body", value: "other" }] })]).toEqual(["imported", "there"]);
  expect(await findSketch(world.hub, ann.channel, draft.name)).toEqual({
    name: draft.name,
    place: draft.place,
    fields: [["body", "Half a thought"]],
    changed: draft.changed,
  });
});

test("one that was posted here does not come back", async () => {
  await closeSketch(world.hub, ann.channel, draft.name);
  expect(await take({})).toBe("there");
  expect(await findSketch(world.hub, ann.channel, draft.name)).toBeUndefined();
});

test.each([
  ["a page of another site", { place: "//evil.example/" }],
  ["one that browsers read so", { place: "/\\evil.example" }],
  ["an address", { place: "javascript:alert(1)" }],
  ["nothing that was typed", { fields: [{ name: "media_id", value: "1" }] }],
  ["fields in another form", { fields: { body: "x" } }],
])("%s is not taken", async (_, changes) => {
  expect(await take({ name: "not-taken", ...changes })).toBe("unreadable");
  expect(await findSketch(world.hub, ann.channel, "not-taken")).toBeUndefined();
});
