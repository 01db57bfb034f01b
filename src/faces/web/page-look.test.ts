import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { visitorOf } from "../../../test/support/visitor.ts";

/** How pages look by the choice of who reads them. */

let world: TestApp;
beforeAll(async () => {
  world = await openTestApp();
  await world.person("ann");
});
afterAll(() => world?.close());

/** What the head says: the attributes of the root, and for whom the dark sheet is. */
function lookOf(text: string): [attributes: string, dark: string | undefined] {
  const [, attributes = ""] = /<html([^>]*)>/.exec(text) ?? [];
  return [attributes.replaceAll(/\s+/g, " ").trim(), /dark\.css" media="([^"]*)"/.exec(text)?.[1]];
}

test("pages are as the browser has it until somebody chooses, in each of their browsers", async () => {
  const [ann, other, nobody] = [visitorOf(world.app), visitorOf(world.app), visitorOf(world.app)];
  for (const one of [ann, other]) await one.logIn("ann", password);
  const device = ['lang="en" dir="ltr"', "screen and (prefers-color-scheme: dark)"];
  expect(lookOf((await ann.get("/settings/look")).text)).toEqual(device);
  const done = await ann.post("/settings/look", { theme: "dark", text_size: "larger" });
  expect(done.location).toBe("/settings/look?done=saved");
  const { text } = await other.get("/settings/look");
  expect(lookOf(text)).toEqual(['lang="en" dir="ltr" data-theme="dark" data-text="larger"', "screen"]);
  expect(text).toMatch(/value="dark"\s+checked/);
  await ann.post("/settings/look", { theme: "light", text_size: "" });
  expect(lookOf((await other.get("/network")).text)).toEqual(['lang="en" dir="ltr" data-theme="light"', undefined]);
  expect(lookOf((await nobody.get("/channel/ann")).text)).toEqual(device);
  await ann.post("/settings/look", { theme: "plaid", text_size: "9" });
  expect(lookOf((await ann.get("/settings/look")).text)).toEqual(device);
});
