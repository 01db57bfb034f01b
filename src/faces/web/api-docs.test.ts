import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { TestApp } from "../../../test/support/app.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { inBraces } from "../../http/reference/parameters.ts";
import { faces } from "../../main.ts";

/** The reference of the APIs for people. */

let world: TestApp;
let visitor: Visitor;

beforeAll(async () => {
  world = await openTestApp();
  visitor = visitorOf(world.app);
});
afterAll(() => world.close());

async function read(path: string): Promise<string> {
  const { status, text } = await visitor.get(path);
  expect([path, status]).toEqual([path, 200]);
  return text;
}

test("every page has a link to it, and it leads to every area and every answer", async () => {
  expect(await read("/help")).toContain('href="/api/docs"');
  const contents = await read("/api/docs");
  expect(contents).toContain("curl -u nick 'http://hub.example/api/account/verify_credentials'");
  const links = [...contents.matchAll(/href="(\/api\/docs\/[^"]+)"/g)].map((match) => match[1]!);
  const areas = (await Promise.all(faces.map((face) => face.areas()))).flat();
  expect(links.length).toBe(areas.length + faces.length);
  for (const link of links) {
    const text = await read(link);
    const anchors = [...text.matchAll(/href="(\/api\/docs\/\w+\/answers)#(\w+)"/g)];
    for (const [, page, name] of anchors.slice(0, 20)) expect(await read(page!)).toContain(`id="${name}"`);
  }
});

test("every endpoint stands there with its parameters, their meaning, a call to copy and an example of its answer", async () => {
  for (const face of faces) {
    for (const { title, rows } of await face.areas()) {
      const text = await read(`/api/docs/${face.name}/${title.toLowerCase().replaceAll(" ", "-")}`);
      for (const row of rows) {
        expect(text).toContain(`<code>${inBraces(face.paths(row)[0]!.path)}</code>`);
        for (const name of Object.keys(row.input.shape)) expect(text).toContain(`<code>${name}</code>`);
      }
      expect(text.split("curl").length - 1).toBeGreaterThanOrEqual(rows.length);
      expect(text.split("<summary>Example</summary>").length - 1).toBe(rows.length);
    }
  }
  const statuses = await read("/api/docs/microblog/statuses");
  expect(statuses).toContain("-F &#39;status=Hello world&#39;");
  expect(statuses).toContain("What the post says; BBCode works.");
  expect(statuses).toContain("There is no status with this id.");
  expect(statuses).toContain("&quot;screen_name&quot;: &quot;ann&quot;");
  expect(await read("/api/docs/native/answers")).toContain("Hash of the identity, its key everywhere.");
});

test("what is not there is the page for that", async () => {
  for (const path of ["/api/docs/native/nothing", "/api/docs/other/answers", "/api/docs/native"])
    expect([path, (await visitor.get(path)).status]).toEqual([path, 404]);
});
