import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAccount, openTestHub, password } from "../../../../../test/support/hub.ts";
import type { TestHub } from "../../../../../test/support/hub.ts";
import { visitorOf } from "../../../../../test/support/visitor.ts";
import type { Visitor } from "../../../../../test/support/visitor.ts";
import { storageQuota } from "../../../../domain/files/quota.ts";
import { createChannel } from "../../../../domain/identity/channels/channels.ts";
import { getSetting } from "../../../../domain/identity/site/site-settings.ts";
import { postingLimits } from "../../../../domain/items/posting-limits.ts";
import { onlySignedReads } from "../../../../domain/peers/signed-reads.ts";
import { findMedia, recordCopy } from "../../../../domain/proxy/remote-media.ts";
import { mediaRules } from "../../../../domain/proxy/usage.ts";
import { addJob } from "../../../../jobs/queue.ts";
import { runDue } from "../../../../jobs/runner.ts";
import { sqlDate } from "../../../../storage/sql.ts";
import { webPages } from "../../web.ts";

let hub: TestHub;
let root: Visitor;

beforeAll(async () => {
  hub = await openTestHub();
  const account = await makeAccount(hub, "root@example.org", { roles: 4096 });
  await createChannel(hub, account, { nick: "root", name: "Root" });
  root = visitorOf(webPages(hub), hub.config.host);
  await root.logIn("root", password);
});
afterAll(() => hub.close());

test("an administrator limits the storage of each account", async () => {
  const shown = async (): Promise<string> =>
    /name="storage_quota"[^>]*value="(\d*)"/.exec((await root.get("/admin/site")).text)![1]!;
  const save = (storage_quota?: string) =>
    root.post("/admin/site", {
      site_name: "Here",
      registration: "open",
      ...(storage_quota !== undefined && { storage_quota }),
    });
  expect([await shown(), await storageQuota(hub)]).toEqual(["0", 0]);
  expect((await save("500")).status).toBe(303);
  expect([await shown(), await storageQuota(hub)]).toEqual(["500", 500 * 2 ** 20]);
  for (const wrong of ["-1", "many", "1.5", "99999999999"])
    expect([wrong, (await save(wrong)).status]).toEqual([wrong, 422]);
  expect((await save()).status).toBe(303);
  expect(await storageQuota(hub)).toBe(500 * 2 ** 20);
  expect((await save("0")).status).toBe(303);
  expect(await storageQuota(hub)).toBe(0);
});

test("jobs wait when they are due, not when they only come round again", async () => {
  const waiting = async (): Promise<string> =>
    /Jobs waiting<\/dt>\s*<dd>(\d+)/.exec((await root.get("/admin")).text)![1]!;
  await runDue(hub);
  await addJob(hub, "sweep-oauth", {}, { at: sqlDate(new Date(hub.clock().getTime() + 60_000)) });
  expect(await waiting()).toBe("0");
  await addJob(hub, "sweep-oauth", {});
  expect(await waiting()).toBe("1");
});

test("an administrator writes what the hub says of itself", async () => {
  const texts = {
    description: "For <singers>",
    about: "",
    rules: "Be kind.\n\n No drums. ",
    privacyPolicy: "",
    publicEmail: "",
  };
  expect((await root.post("/admin/texts", texts)).status).toBe(303);
  expect((await root.get("/admin/texts")).text).toMatch(/For &lt;singers&gt;[^]*Be kind\.\nNo drums\./);
  expect(await getSetting(hub, "rules")).toEqual(["Be kind.", "No drums."]);
  expect((await root.post("/admin/texts", { ...texts, about: "x".repeat(20_001) })).status).toBe(422);
});

test("an administrator has other servers sign what they read", async () => {
  const save = (more: Record<string, string>) =>
    root.post("/admin/site", { site_name: "Here", registration: "open", ...more });
  const box = /name="only_signed_reads"[^>]*checked/;
  expect([await onlySignedReads(hub), box.test((await root.get("/admin/site")).text)]).toEqual([false, false]);
  expect((await save({ only_signed_reads: "1" })).status).toBe(303);
  expect([await onlySignedReads(hub), box.test((await root.get("/admin/site")).text)]).toEqual([true, true]);
  expect((await save({})).status).toBe(303);
  expect(await onlySignedReads(hub)).toBe(false);
});

test("an administrator sees what copies from elsewhere take, and removes those of media", async () => {
  const at = (name: string) => ({ url: `https://elsewhere.example/${name}.webp`, keeping: "cache" as const });
  const figure = async (): Promise<string> =>
    /Media in posts<\/dt>\s*<dd>([^<]*)</.exec((await root.get("/admin/media")).text)![1]!;
  const nothing = await figure();
  expect((await root.get("/admin/media")).text).not.toContain("Remove the copies");
  for (const name of ["one", "two"]) {
    const bytes = Buffer.alloc(3000, name);
    await recordCopy(hub, at(name), {
      bytes,
      mimetype: "image/webp",
      width: 1,
      height: 1,
      scale: "original",
    });
  }
  expect([await figure(), (await root.get("/admin/media")).text.includes("Remove the copies")]).toEqual([
    "6.0 kB",
    true,
  ]);
  const stranger = visitorOf(webPages(hub), hub.config.host);
  expect((await stranger.post("/admin/media", {})).location).toMatch(/^\/login/);
  await runDue(hub);
  expect(await figure()).toBe("6.0 kB");
  await root.get("/admin/media");
  expect((await root.post("/admin/media", {})).location).toBe("/admin/media?done=emptying");
  await runDue(hub);
  expect(await figure()).toBe(nothing);
  expect(await findMedia(hub, at("one"))).toBeUndefined();
});

test("an administrator limits how many posts a channel begins", async () => {
  const save = (limits: Record<string, string>) =>
    root.post("/admin/site", { site_name: "Here", registration: "open", ...limits });
  expect((await save({ posts_per_day: "50", posts_per_month: "600" })).status).toBe(303);
  expect(await postingLimits(hub)).toEqual({ day: 50, week: 0, month: 600 });
  expect((await root.get("/admin/site")).text).toMatch(/name="posts_per_day"[^>]*value="50"/);
  for (const wrong of ["-1", "few"])
    expect([wrong, (await save({ posts_per_week: wrong })).status]).toEqual([wrong, 422]);
  expect((await save({ posts_per_day: "0" })).status).toBe(303);
  expect(await postingLimits(hub)).toEqual({ day: 0, week: 0, month: 600 });
});

test("an administrator says what is copied from other sites, and how much room that takes", async () => {
  const save = (rules: Record<string, string>) =>
    root.post("/admin/site", { site_name: "Here", registration: "open", ...rules });
  const usual = { mediaCopies: "connections", mediaBudget: 2 ** 30, mediaHostBudget: 2 ** 28 };
  expect(await mediaRules(hub)).toEqual(usual);
  expect((await save({ media_copies: "nobody", media_budget: "20" })).status).toBe(303);
  expect(await mediaRules(hub)).toEqual({ ...usual, mediaCopies: "nobody", mediaBudget: 20 * 2 ** 20 });
  expect((await root.get("/admin/site")).text).toMatch(/name="media_budget"[^>]*value="20"/);
  for (const wrong of ["-1", "much"])
    expect([wrong, (await save({ media_host_budget: wrong })).status]).toEqual([wrong, 422]);
  expect((await save({ media_copies: "some" })).status).toBe(303);
  expect((await mediaRules(hub)).mediaCopies).toBe("nobody");
});

test("an administrator sees how far a change to the tables is that an upgrade has begun", async () => {
  const pages = async () => [(await root.get("/admin")).text, (await root.get("/admin/jobs")).text];
  for (const text of await pages()) expect(text).not.toContain("Changes to the tables under way");
  const begun = sqlDate(hub.clock());
  await hub.db
    .insertInto("long_step")
    .values({ name: "index-words", first_id: 1000, next_id: 568, last_id: 1, begun })
    .execute();
  const [overview, jobs] = await pages();
  expect(overview).toMatch(/Changes to the tables under way<[^]*?href="\/admin\/jobs">1</);
  expect(jobs).toMatch(/index-words: 43 % done, begun\s*<time/);
  await hub.db.deleteFrom("long_step").execute();
});
