import { afterAll, beforeAll, expect, test } from "vitest";
import { actorOf } from "../../../../../test/support/actors.ts";
import { makeAccount, makeChannel, openTestHub, password } from "../../../../../test/support/hub.ts";
import type { TestHub } from "../../../../../test/support/hub.ts";
import { visitorOf } from "../../../../../test/support/visitor.ts";
import type { Visitor } from "../../../../../test/support/visitor.ts";
import { createChannel } from "../../../../domain/identity/channels/channels.ts";
import { meetActor } from "../../../../domain/peers/meet-actor.ts";
import { listSiteBlocks, suspended } from "../../../../domain/peers/site-blocks.ts";
import { webPages } from "../../web.ts";

let hub: TestHub;
let root: Visitor;
let member: Visitor;

beforeAll(async () => {
  hub = await openTestHub();
  const account = await makeAccount(hub, "root@example.org", { roles: 4096 });
  await createChannel(hub, account, { nick: "root", name: "Root" });
  await makeChannel(hub, "ann");
  const pages = webPages(hub);
  [root, member] = [visitorOf(pages, hub.config.host), visitorOf(pages, hub.config.host)];
  await root.logIn("root", password);
  await member.logIn("ann", password);
  await meetActor(hub, actorOf("carla"));
  await hub.db
    .updateTable("peer")
    .set({
      circuit: "open",
      failures: 6,
      last_error: "far.example does not answer",
      last_failed: "2026-03-01 11:00:00",
    })
    .execute();
});
afterAll(() => hub.close());

test("other servers are listed with how it goes with them, and their faults are forgotten", async () => {
  const shown = (await root.get("/admin/hosts")).text;
  expect(shown).toContain("far.example does not answer");
  expect(shown).toMatch(/1 person\s+known/);
  expect((await root.get("/admin/hosts?q=elsewhere")).text).toContain("There are none.");
  expect((await root.post("/admin/hosts/forget", { host: "far.example" })).status).toBe(303);
  expect((await root.get("/admin/hosts")).text).not.toContain("does not answer");
  expect((await root.post("/admin/hosts/forget", { host: "elsewhere.example" })).status).toBe(404);
});

test("one is blocked from the list, and all of them from a form, until that ends", async () => {
  expect((await root.post("/admin/hosts/block", { host: "far.example" })).status).toBe(303);
  expect(await suspended(hub, "far.example")).toBe(true);
  const save = (form: Record<string, string>) => root.post("/admin/blocks", { level: "limit", ...form });
  expect((await save({ domain: "loud.example", reason: "<b>loud</b>", no_media: "1" })).status).toBe(303);
  const shown = (await root.get("/admin/blocks")).text;
  expect(shown).toContain("limited, without pictures");
  expect(shown).toContain("&lt;b&gt;loud&lt;/b&gt;");
  for (const wrong of [{ domain: "a b" }, { domain: "hub.example" }, { domain: "x.example", level: "hard" }])
    expect([wrong, (await save(wrong)).status]).toEqual([wrong, 422]);
  expect((await root.post("/admin/blocks/remove", { domain: "far.example" })).status).toBe(303);
  expect((await root.post("/admin/blocks/remove", { domain: "far.example" })).status).toBe(404);
  expect(await suspended(hub, "far.example")).toBe(false);
  expect((await root.post("/admin/blocks/allow", { only_allowed: "1" })).status).toBe(303);
  expect(await suspended(hub, "far.example")).toBe(true);
  expect((await root.post("/admin/blocks/allow", {})).status).toBe(303);
  expect(await suspended(hub, "far.example")).toBe(false);
});

test("lists are taken over and saved", async () => {
  expect((await root.post("/admin/blocks/import", { list: "bad.example\r\nworse.example\r\n" })).status).toBe(303);
  const told = await root.post("/admin/blocks/import", { list: "bad.example\nw*rse.example" });
  expect(told.text).toContain("2 (w*rse.example)");
  expect((await root.post("/admin/blocks/import", { list: "no list" })).status).toBe(422);
  const saved = await root.get("/admin/blocks.csv");
  expect(saved.headers.get("content-disposition")).toContain("blocked-servers.csv");
  expect(saved.text.split("\n").slice(0, 2)).toEqual([
    "#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate",
    "bad.example,suspend,FALSE,FALSE,,FALSE",
  ]);
});

test("for everybody else these pages do not exist", async () => {
  const before = await listSiteBlocks(hub);
  for (const path of ["/admin/hosts", "/admin/blocks", "/admin/blocks.csv"])
    expect([path, (await member.get(path)).status]).toEqual([path, 404]);
  for (const path of ["/admin/blocks", "/admin/blocks/remove", "/admin/blocks/allow", "/admin/blocks/import"])
    expect([
      path,
      (await member.post(path, { domain: "bad.example", level: "none", list: "x.example" })).status,
    ]).toEqual([path, 404]);
  expect(await listSiteBlocks(hub)).toEqual(before);
});
