import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../../../test/support/app.ts";
import type { TestApp } from "../../../../../test/support/app.ts";
import { openElsewhere } from "../../../../../test/support/elsewhere.ts";
import { makeAccount, makeChannel, password } from "../../../../../test/support/hub.ts";
import { visitorOf } from "../../../../../test/support/visitor.ts";
import type { Visitor } from "../../../../../test/support/visitor.ts";
import { createChannel } from "../../../../domain/identity/channels/channels.ts";
import { listBlockLists, listsNaming, refreshBlockLists } from "../../../../domain/peers/subscribed-lists.ts";
import { removeSiteBlock, setSiteBlock, treatmentOf } from "../../../../domain/peers/site-blocks.ts";

/** Lists of blocked servers that the site follows (federation contract 13). */

const elsewhere = openElsewhere();
const [one, other] = ["https://lists.example/one.csv", "https://lists.example/api/v1/instance/domain_blocks"];
const csv =
  (...lines: string[]) =>
  () =>
    new Response(["#domain,#severity,#reject_media", ...lines].join("\n"));

let world: TestApp;
let root: Visitor;
let member: Visitor;

beforeAll(async () => {
  world = await openTestApp({ fetch: elsewhere.fetch });
  const account = await makeAccount(world.hub, "root@example.org", { roles: 4096 });
  await createChannel(world.hub, account, { nick: "root", name: "Root" });
  await makeChannel(world.hub, "ann");
  [root, member] = [visitorOf(world.app), visitorOf(world.app)];
  await root.logIn("root", password);
  await member.logIn("ann", password);
});
afterAll(() => world.close());

const levelOf = async (host: string) => (await treatmentOf(world.hub, host)).level;
const follow = async (url: string, more: Record<string, string> = {}) => {
  await root.get("/admin/block-lists");
  return root.post("/admin/block-lists", { url, ...more });
};
const idOf = async (url: string) => (await listBlockLists(world.hub)).find((list) => list.url === url)!.id;
const does = async (url: string, deed: string) => {
  const path = `/admin/block-lists/${await idOf(url)}`;
  await root.get(path);
  return root.post(path, { deed });
};

test("what a list says counts, with the domains below, and stands there with where it comes from", async () => {
  elsewhere.put(one, csv("bad.example,suspend,FALSE", "loud.example,silence,FALSE", "hub.example,suspend,FALSE"));
  expect((await follow(one)).status).toBe(303);
  expect(await Promise.all(["bad.example", "a.bad.example", "loud.example", "hub.example"].map(levelOf))).toEqual([
    "suspend",
    "suspend",
    "limit",
    "none",
  ]);
  expect(await listsNaming(world.hub, "a.bad.example")).toEqual([one]);
  const all = (await root.get("/admin/block-lists")).text;
  expect(all).toContain("2 servers count, none waits for you.");
  const shown = (await root.get(`/admin/block-lists/${await idOf(one)}`)).text;
  expect([shown.includes("loud.example"), shown.includes("hub.example")]).toEqual([true, false]);
});

test("of several lists the strictest counts, and what the site says itself counts more than all of them", async () => {
  elsewhere.put(other, [
    { domain: "loud.example", digest: "x", severity: "suspend", comment: "Spam" },
    { domain: "b*d.example", digest: "y", severity: "suspend" },
  ]);
  expect((await follow(other)).status).toBe(303);
  expect(await levelOf("loud.example")).toBe("suspend");
  await setSiteBlock(world.hub, { domain: "loud.example", level: "none", noMedia: false });
  expect(await Promise.all(["loud.example", "x.loud.example"].map(levelOf))).toEqual(["none", "none"]);
  expect((await root.get(`/admin/block-lists/${await idOf(other)}`)).text).toContain("your own decision counts");
  await removeSiteBlock(world.hub, "loud.example");
});

test("lists are fetched anew once a day; what cannot be had leaves all as it was, and says why", async () => {
  elsewhere.put(one, csv("worse.example,suspend,FALSE"));
  await refreshBlockLists(world.hub);
  expect(await levelOf("worse.example")).toBe("none");
  world.hub.advance(24 * 3600);
  await refreshBlockLists(world.hub);
  expect(await Promise.all(["worse.example", "bad.example"].map(levelOf))).toEqual(["suspend", "none"]);
  for (const answer of [404, new Error("gone"), () => new Response(""), () => new Response("<html>no list</html>")]) {
    elsewhere.put(one, answer);
    expect((await does(one, "fetch")).status).toBe(303);
    expect([await levelOf("worse.example"), (await root.get("/admin/block-lists")).text]).toEqual([
      "suspend",
      expect.stringContaining("The last attempt failed"),
    ]);
  }
});

test("whoever wants to see what is new before it counts takes it over", async () => {
  const url = "https://lists.example/reviewed";
  elsewhere.put(url, csv("first.example,suspend,FALSE"));
  await follow(url, { reviewed: "1" });
  expect(await levelOf("first.example")).toBe("none");
  expect((await root.get("/admin/block-lists")).text).toContain("0 servers count, 1 waits for you.");
  await does(url, "take");
  expect(await levelOf("first.example")).toBe("suspend");
  elsewhere.put(url, csv("first.example,silence,FALSE", "second.example,suspend,FALSE"));
  await does(url, "fetch");
  expect(await Promise.all(["first.example", "second.example"].map(levelOf))).toEqual(["suspend", "none"]);
  await does(url, "take");
  expect(await Promise.all(["first.example", "second.example"].map(levelOf))).toEqual(["limit", "suspend"]);
  elsewhere.put(url, csv("second.example,suspend,FALSE"));
  await does(url, "fetch");
  expect(await levelOf("first.example")).toBe("none");
});

test("whoever ends a subscription takes back what it brought", async () => {
  await does(other, "end");
  expect(await levelOf("loud.example")).toBe("none");
  expect((await root.post(`/admin/block-lists/9999`, { deed: "end" })).status).toBe(404);
});

test.each([
  ["no address", "This is no address on the web."],
  ["https://lists.example/none", "The list cannot be had there just now."],
  ["https://lists.example/empty", "This is not a list of servers."],
  ["https://lists.example/reviewed", "This list is followed already."],
])("%s is refused: %s", async (url, sentence) => {
  elsewhere.put("https://lists.example/empty", () => new Response("[]"));
  const { status, text } = await follow(url);
  expect([status >= 400 && status < 500, text.includes(sentence)]).toEqual([true, true]);
});

test("for everybody else these pages do not exist, and nothing is asked for", async () => {
  const before = elsewhere.asked.length;
  for (const path of ["/admin/block-lists", `/admin/block-lists/${await idOf(one)}`]) {
    expect([path, (await member.get(path)).status]).toEqual([path, 404]);
    expect([path, (await member.post(path, { url: one, deed: "end" })).status]).toEqual([path, 404]);
  }
  expect(elsewhere.asked.length).toBe(before);
});
