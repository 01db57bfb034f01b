import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAccount, openTestHub, password } from "../../../../../test/support/hub.ts";
import type { TestHub } from "../../../../../test/support/hub.ts";
import { visitorOf } from "../../../../../test/support/visitor.ts";
import type { Visitor } from "../../../../../test/support/visitor.ts";
import { createChannel } from "../../../../domain/identity/channels/channels.ts";
import { figuresOver, flushFigures, slowestRows, takeFigures, trimFigures } from "../../../../domain/upkeep/figures.ts";
import { webPages } from "../../web.ts";

/** What administrators see of how the hub has been. */

let hub: TestHub;
let root: Visitor;

beforeAll(async () => {
  hub = await openTestHub();
  await createChannel(hub, await makeAccount(hub, "root@example.org", { roles: 4096 }), { nick: "root", name: "Root" });
  root = visitorOf(webPages(hub), hub.config.host);
  await root.logIn("root", password);
});
afterAll(() => hub.close());

const rows = async () =>
  (await hub.db.selectFrom("figure").selectAll().orderBy("name").orderBy("moment").execute()).length;
const requests = { face: "test", method: "GET", row: "/slow/:id" };

test("what a process counts is added to its hour once, and nothing is written where that is nothing", async () => {
  await flushFigures(hub);
  const before = await rows();
  await flushFigures(hub);
  expect(await rows()).toBe(before);
  for (const seconds of [0.2, 0.4]) hub.counters.countRequest(requests, 200, seconds);
  await flushFigures(hub);
  hub.counters.countRequest(requests, 200, 0.6);
  await flushFigures(hub);
  // On a busy machine the log-in may be slower.
  expect(await slowestRows(hub, "day", 3)).toContainEqual({
    row: "test GET /slow/:id",
    times: 3,
    mean: 400,
    most: 1000,
  });
});

test("what all processes share is measured, and stands on the page as drawing and table", async () => {
  await takeFigures(hub);
  const { people, jobs } = await figuresOver(hub, ["people", "jobs"], "day");
  expect([people.length, people.at(-1)!.mean, people[0]!.mean]).toEqual([24, 1, undefined]);
  expect(jobs.at(-1)!.mean).toBeGreaterThanOrEqual(0);
  for (const over of ["day", "month", "odd"]) {
    const page = (await root.get(`/admin/figures?over=${over}`)).text;
    expect(page).toMatch(/Channels<\/h2>\s*<p class="meta">\s*<strong>1<\/strong> now/);
    expect(page).toMatch(/<svg[^>]*aria-hidden[^]*<rect[^]*<summary>As a table/);
    expect(page).toContain("test GET /slow/:id");
  }
});

test("days are sums of their hours, and after a month nothing is left", async () => {
  hub.advance(86_400);
  await takeFigures(hub);
  const { people, requests: asked } = await figuresOver(hub, ["people", "requests"], "month");
  expect([people.length, people.filter(({ mean }) => mean !== undefined).length]).toEqual([30, 2]);
  expect(asked.at(-2)!.times).toBeGreaterThanOrEqual(3);
  hub.advance(33 * 86_400);
  await trimFigures(hub);
  expect(await rows()).toBe(0);
});
