import { afterAll, beforeAll, expect, test } from "vitest";
import { annAtHome } from "../../../test/support/ann-at-home.ts";
import type { TestApp } from "../../../test/support/app.ts";
import type { Visitor } from "../../../test/support/visitor.ts";

/** What pages carry besides what they say. */

let world: TestApp;
let visitor: Visitor;

beforeAll(async () => {
  ({ world, visitor } = await annAtHome());
  await visitor.get("/network");
  for (const body of ["The first", "The second"]) await visitor.post("/network", { body, audience: "public" });
});
afterAll(() => world.close());

test("each icon is drawn once, however often it stands on the page", async () => {
  const { text } = await visitor.get("/network");
  const used = [...text.matchAll(/<use href="#([\w-]+)"/g)].map(([, name]) => name);
  const kinds = new Set(used);
  expect(used.length).toBeGreaterThan(kinds.size);
  for (const name of kinds) expect(text.split(`id="${name}"`)).toHaveLength(2);
});

test("what indents the lines of a template stays out of the page", async () => {
  for (const path of ["/network", "/channel/ann", "/settings/profile"]) {
    const { text } = await visitor.get(path);
    expect(text).toContain("</html>");
    expect(/.*\n {4}.*/.exec(text)?.[0]).toBeUndefined();
  }
});

test("what is filled in stays as it is, and so does the line that a text area begins with", async () => {
  const body = "\n  first\n\n  second";
  const { text } = await visitor.post("/network", { body, audience: "martians" });
  expect(text).toContain(`>\n${body}</textarea>`);
});
