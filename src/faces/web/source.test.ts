import { unpackTar } from "modern-tar";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { TestApp } from "../../../test/support/app.ts";
import { createApp } from "../../main.ts";

/** The source is offered to whoever uses the hub (AGPL, section 13). */

let world: TestApp;
beforeAll(async () => {
  world = await openTestApp();
});
afterAll(() => world.close());

test("every page leads to the source, and the hub sends what it runs", async () => {
  expect((await world.anonymous.get("/login")).text).toContain('<a href="/source">Source</a>');
  expect((await world.anonymous.get("/source")).text).toContain('href="/source.tar.gz"');
  const answer = await world.app.request("http://hub.example/source.tar.gz");
  expect(answer.headers.get("content-type")).toBe("application/gzip");
  const entries = await unpackTar(gunzipSync(await answer.arrayBuffer()));
  const names = entries.map(({ header }) => header.name.replace(/^hubbub-[^/]+\//, ""));
  expect(names).toEqual(
    expect.arrayContaining([
      "package.json",
      "LICENSE",
      "bin/hubbub.js",
      "src/main.ts",
      "src/faces/web/assets/hubbub.css",
    ]),
  );
  expect(names.filter((name) => /node_modules|^data|(^|\/)\.env/.test(name))).toEqual([]);
});

test("operators may name another place", async () => {
  const config = { ...world.hub.config, sourceUrl: "https://code.example/ours" };
  const page = await createApp({ ...world.hub, config }).request("http://hub.example/source");
  expect(await page.text()).toContain('href="https://code.example/ours"');
});
