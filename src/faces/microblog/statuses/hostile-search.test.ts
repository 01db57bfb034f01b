import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";

/** Signs that mean something to a database, and texts that are too long for it, are words like any others. */

let world: TestApp;
let ann: Person;

beforeAll(async () => {
  world = await openTestApp();
  ann = await world.person("ann");
});
afterAll(() => world.close());

const questions = [
  `"`,
  `""`,
  `"rye`,
  `'`,
  `';--`,
  `\\`,
  "rye AND",
  "NOT rye",
  "NEAR(rye bread, 3)",
  "rye <-> bread",
  "rye:*",
  "^rye",
  "{a}:b",
  "*",
  "-",
  "--",
  "(((",
  "a & !b | c",
  "from:",
  "from:@",
  "since:",
  "since:9999-99-99",
  "%00",
  "a%00b",
  "%ED%A0%80",
  "%",
  `#${"x".repeat(3000)}`,
  `#${"_".repeat(3000)}`,
  "w ".repeat(5000),
  "\ud800",
  "\ufdfa".repeat(300),
  `#${"\ufdfa".repeat(190)}`,
];

test.each(questions.map((q) => [q.slice(0, 20), q]))("%s", async (_, q) => {
  for (const path of ["/api/search.json", "/api/1.1/search/tweets.json"])
    expect([200, 400]).toContain((await ann.get(path, { q: q.slice(0, 6000) })).status);
  for (const name of ["search", "tag"]) {
    const query = new URLSearchParams({ [name]: q.slice(0, 6000) }).toString();
    expect((await world.app.request(`http://hub.example/search?${query}&order=best`)).status).toBe(200);
    expect((await world.app.request(`http://hub.example/search?${query}`)).status).toBe(200);
  }
});

test.each([
  ["a tag that becomes much longer when it is folded", `#${"\ufdfa".repeat(190)}`],
  ["a tag of signs that are no letters", `#${"_".repeat(191)}`],
  ["an author of a share who is no text", "[share author='%00' link='https://x.example/1']x[/share]"],
])("%s can be posted", async (_, status) => {
  expect((await ann.post("/api/statuses/update", { status })).status).toBe(200);
  if (status.startsWith("#")) expect((await ann.get("/api/search.json", { q: status })).json).toHaveLength(1);
});
