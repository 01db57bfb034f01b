import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import { namesIn } from "../../record-of.ts";
import { helpPictures } from "./parts/site/help-picture.ts";

/** The help for people with programs of other makers, and its pictures. */

let world: TestApp;

beforeAll(async () => {
  world = await openTestApp();
  await world.person("ann");
});
afterAll(() => world.close());

test("people find it where applications are and in the general help", async () => {
  const visitor = visitorOf(world.app);
  expect((await visitor.get("/help")).text).toContain('href="/help/programs"');
  await visitor.logIn("ann", password);
  expect((await visitor.get("/settings/oauth/")).text).toContain('href="/help/programs"');
});

test("it names the addresses of this hub, which are there, and says what the heart is (trap 46)", async () => {
  const visitor = visitorOf(world.app);
  await visitor.logIn("ann", password);
  const { status, text } = await visitor.get("/help/programs");
  expect(status).toBe(200);
  const base = "http://hub.example";
  for (const words of [
    `${base}/api`,
    `${base}/feed/ann.rss`,
    "private star",
    "ann, or ann@hub.example",
    "!!Family\nWe are there",
  ])
    expect(text).toContain(words);
  const addresses = [...text.matchAll(/http:\/\/hub\.example(\/(?:oauth|feed)\/[\w./]+)/g)].map((match) => match[1]!);
  expect(addresses.length).toBe(5);
  for (const path of addresses) expect([path, (await visitor.get(path)).status]).not.toEqual([path, 404]);
});

test("pictures show what the words are about, light or dark as pages are, and each has words of its own", async () => {
  const visitor = visitorOf(world.app);
  const pages = await Promise.all(["/help", "/help/programs"].map((path) => visitor.get(path)));
  const all = pages.map(({ text }) => text).join("");
  const shown = [...all.matchAll(/(?:src|srcset)="(\/assets\/[^"]*\/help\/[^"]*)"/g)].map(([, address]) => address!);
  expect(new Set(shown).size).toBe(2 * namesIn(helpPictures).length);
  for (const address of shown) {
    const { status, headers } = await world.app.request(address);
    expect([address, status, headers.get("content-type")]).toEqual([address, 200, "image/webp"]);
  }
  expect([...all.matchAll(/\/help\/[^"]*"\s+alt="([^"]{20,})"/g)]).toHaveLength(namesIn(helpPictures).length);
});
