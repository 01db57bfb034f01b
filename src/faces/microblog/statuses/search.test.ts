import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { childrenOf, readXml, textAt } from "../../../../test/support/microblog.ts";
import { befriend } from "../../../../test/support/people.ts";
import { findConnectionTo, updateConnection } from "../../../domain/connections/connections.ts";

/** Microblog contract 8.5, search and saved searches; 12 traps 13, 14, 17 and 53. */

let world: TestApp;
let ann: Person;
let bob: Person;
let cara: Person;
const posted = new Map<string, any>();

async function say(who: Person, status: string, more: Record<string, unknown> = {}): Promise<any> {
  const { json, status: code } = await who.post("/api/statuses/update", { status, ...more });
  expect(code).toBe(200);
  await world.work();
  posted.set(status, json);
  return json;
}

async function found(who: Person, q: string, more: Record<string, unknown> = {}): Promise<string[]> {
  const { status, json } = await who.get("/api/search.json", { q, ...more });
  expect([q, status]).toEqual([q, 200]);
  return json.map((one: any) => one.text);
}

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob, cara] = [await world.person("ann"), await world.person("bob"), await world.person("cara")];
  await befriend(world.hub, ann.channel, bob.channel);
  const top = await say(ann, "Rye bread from the village bakery #Bread");
  await say(bob, "The bakery of my village has no rye", { in_reply_to_status_id: top.id });
  world.hub.setClock("2026-03-05T12:00:00Z");
  await say(bob, "Crème brûlée in Straßburg #Bread #sweet");
  await say(ann, "A secret bakery", { contact_allow: await cidOf(ann, bob) });
  await say(cara, "Nobody knows cara's bakery. 東京都のパン");
  world.hub.setClock("2026-04-01T12:00:00Z");
  await say(ann, "bread, bread and breadcrumbs!");
});
afterAll(() => world.close());

async function cidOf(one: Person, other: Person): Promise<number> {
  return (await findConnectionTo(world.hub, one.channel.channel_id, other.channel.channel_hash))!.abook_id;
}

describe("what is found", () => {
  const rye = "Rye bread from the village bakery #Bread";
  const answer = "The bakery of my village has no rye";
  const sweet = "Crème brûlée in Straßburg #Bread #sweet";
  const secret = "A secret bakery";
  const tokyo = "Nobody knows cara's bakery. 東京都のパン";
  const crumbs = "bread, bread and breadcrumbs!";

  test.each([
    ["bakery", [tokyo, secret, answer, rye]],
    ["BAKERY village", [answer, rye]],
    ['"village bakery"', [rye]],
    ["bakery -village", [tokyo, secret]],
    ["#bread", [sweet, rye]],
    ["#BREAD", [sweet, rye]],
    ["#brea", []],
    ["#bread bakery", [rye]],
    ["creme BRULEE", [sweet]],
    ["strassburg", [sweet]],
    ["京都", [tokyo]],
    ["京", [tokyo]],
    ["都京", []],
    ["bakery from:bob", [answer]],
    ["from:bob", [sweet, answer]],
    ["from:me bakery", [secret, rye]],
    ["from:bob@hub.example rye", [answer]],
    ["from:nobody", []],
    ["bakery -from:me", [tokyo, answer]],
    ["bakery since:2026-03-02", [tokyo, secret]],
    ["bakery until:2026-03-01", [answer, rye]],
    ["since:2026-03-05 until:2026-03-05", [tokyo, secret, sweet]],
    ["bread*", [crumbs, sweet, rye]],
    ["breadcr*", [crumbs]],
    // No word fits: the text may stand anywhere.
    ["adcrumb", [crumbs]],
    ["and breadcrumb", [crumbs]],
    ["bakery.", [tokyo, secret, answer, rye]],
    ["!", [crumbs]],
    ["' or 1=1 --", []],
    ['"', []],
    ["NEAR(bakery AND)", []],
  ])("%s", async (q, texts) => {
    expect(await found(ann, q)).toEqual(texts);
  });

  test("what is encoded once more than it must be is read all the same", async () => {
    expect(await found(ann, "%23bread%20bakery")).toEqual([rye]);
    expect(await found(ann, "100%zz")).toEqual([]);
  });

  test("nobody finds what others have in private", async () => {
    expect(await found(bob, "secret")).toEqual([secret]);
    expect(await found(cara, "secret")).toEqual([]);
    expect(await found(cara, "ecre")).toEqual([]);
    expect(await found(cara, "from:ann bakery")).toEqual([rye]);
  });

  test("an address finds the post with that permalink or message id", async () => {
    const post = posted.get(rye);
    for (const url of [
      post.external_url,
      post.uri,
      `http://hub.example/display/${post.external_url.split("/").at(-1)}`,
    ])
      if (url) expect([url, await found(cara, url)]).toEqual([url, [rye]]);
    expect(await found(cara, posted.get(secret).external_url)).toEqual([]);
    expect(await found(bob, posted.get(secret).external_url)).toEqual([secret]);
    expect(await found(ann, "http://hub.example/item/nothing")).toEqual([]);
    expect(await found(ann, post.external_url, { page: 2 })).toEqual([]);
    expect(await found(ann, post.external_url, { since_id: post.id })).toEqual([]);
  });

  test("what somebody shares without a word is found once, as what it is", async () => {
    const { json: share } = await cara.post(`/api/statuses/retweet/${posted.get(rye).id}.json`);
    await world.work();
    for (const who of [ann, bob, cara]) expect(await found(who, '"village bakery"')).toEqual([rye]);
    expect(await found(bob, "from:cara village")).toEqual([]);
    await cara.post(`/api/statuses/destroy/${share.id}.json`);
  });

  test("replies can be left out", async () => {
    expect(await found(ann, "village", { exclude_replies: "true" })).toEqual([rye]);
    expect(await found(ann, "village", { exclude_replies: "false" })).toEqual([answer, rye]);
  });

  test("what is edited is found by its new words, what is deleted by none, and tags follow", async () => {
    const one = await say(ann, "marmalade #fruit");
    const edit = { post_id: one.id, body: "jam #berries" };
    expect((await ann.post("/api/z/1.0/item/update", edit)).status).toBe(200);
    expect([await found(bob, "marmalade"), await found(bob, "#fruit")]).toEqual([[], []]);
    expect([await found(bob, "jam"), await found(cara, "#berries")]).toEqual([["jam #berries"], ["jam #berries"]]);
    await ann.post(`/api/statuses/destroy/${one.id}`);
    expect([await found(bob, "jam"), await found(cara, "#berries"), await found(ann, "jam")]).toEqual([[], [], []]);
  });

  test("people who are blocked or ignored are left out", async () => {
    const cid = await cidOf(ann, bob);
    for (const mark of ["blocked", "ignored"] as const) {
      await updateConnection(world.hub, ann.channel, cid, { [mark]: true });
      expect(await found(ann, "bakery")).toEqual([tokyo, secret, rye]);
      await updateConnection(world.hub, ann.channel, cid, { [mark]: false });
    }
    expect(await found(ann, "bakery")).toEqual([tokyo, secret, answer, rye]);
  });
});

describe("parameters", () => {
  test("q must be there", async () => {
    for (const q of [undefined, "", "  ", "%20"]) {
      const { status, json } = await ann.get("/api/search.json", { q });
      expect([status, json.error]).toEqual([400, "q parameter is required."]);
    }
  });

  test("credentials must be there", async () => {
    for (const path of ["search.json", "search/tweets.json", "1.1/search.json", "saved_searches/list.json"])
      expect((await world.anonymous.get(`/api/${path}`, { q: "bakery" })).status).toBe(401);
  });

  test("rpp wins over count, and nonsense is the default", async () => {
    expect(await found(ann, "bakery", { rpp: 1, count: 3 })).toHaveLength(1);
    expect(await found(ann, "bakery", { rpp: "x", count: 3 })).toHaveLength(3);
    expect(await found(ann, "bakery", { count: -5 })).toHaveLength(4);
    expect(await found(ann, "bakery", { page: 2, count: 3 })).toHaveLength(1);
    expect(await found(ann, "bakery", { page: 999_999_999 })).toEqual([]);
  });

  test("ids bound the page, max_id inclusive", async () => {
    const ids = (await ann.get("/api/search.json", { q: "bakery" })).json.map((one: any) => one.id);
    const bounded = async (more: object) =>
      (await ann.get("/api/search.json", { q: "bakery", ...more })).json.map((one: any) => one.id);
    expect(await bounded({ max_id: ids[1] })).toEqual(ids.slice(1));
    expect(await bounded({ since_id: ids[1] })).toEqual(ids.slice(0, 1));
    expect(await bounded({ max_id: ids[1], since_id: ids[3] })).toEqual(ids.slice(1, 3));
  });

  test("any method does", async () => {
    const { status, json } = await ann.post("/api/search.json", { q: "bakery" });
    expect([status, json.length]).toEqual([200, 4]);
  });
});

describe("shapes", () => {
  test("trap 13: an array; trap 14 and 53: an object below 1.1", async () => {
    for (const path of ["search", "search/tweets"]) {
      const plain = (await ann.get(`/api/${path}.json`, { q: "bakery", since_id: 1 })).json;
      expect(Array.isArray(plain)).toBe(true);
      const { json } = await ann.get(`/api/1.1/${path}.json`, { q: "bakery", since_id: 1 });
      expect(json.statuses.map((one: any) => one.id)).toEqual(plain.map((one: any) => one.id));
      expect(json.statuses[0].entities).toMatchObject({ urls: [], user_mentions: [], hashtags: [] });
      expect(json.search_metadata).toEqual({
        count: 15,
        max_id: plain[0].id,
        max_id_str: String(plain[0].id),
        since_id: 1,
        since_id_str: "1",
        query: "bakery",
        completed_in: 0,
      });
    }
  });

  test("next_results leads to the next page, and ends", async () => {
    const seen: number[] = [];
    let query = "?q=bakery&count=2";
    for (let pages = 0; pages < 5; pages++) {
      const { json } = await ann.get(`/api/1.1/search/tweets.json${query}`);
      seen.push(...json.statuses.map((one: any) => one.id));
      if (json.search_metadata.next_results === undefined) break;
      expect(json.search_metadata.next_results).toMatch(/^\?/);
      query = json.search_metadata.next_results;
    }
    expect(seen).toEqual((await ann.get("/api/search.json", { q: "bakery" })).json.map((one: any) => one.id));
  });

  test("XML and feeds", async () => {
    const xml = readXml(await ann.get("/api/search.xml", { q: "bakery" }));
    expect([xml.name, childrenOf(xml, "status").length]).toEqual(["statuses", 4]);
    const atom = await ann.get("/api/search.atom", { q: "#bread" });
    expect([atom.status, atom.headers.get("content-type")]).toEqual([
      200,
      expect.stringMatching(/^application\/atom\+xml/),
    ]);
    expect(atom.text.match(/<entry>/g)).toHaveLength(2);
  });
});

describe("saved searches", () => {
  test("trap 17: every field is there; list, create, show, destroy", async () => {
    expect((await ann.get("/api/saved_searches/list.json")).json).toEqual([]);
    const made = await ann.post("/api/saved_searches/create.json", { query: "rye bread" });
    const expected = {
      id: expect.any(Number),
      id_str: String(made.json.id),
      name: "rye bread",
      query: "rye bread",
      position: null,
      created_at: "Wed Apr 01 12:00:00 +0000 2026",
    };
    expect(made.json).toEqual(expected);
    expect((await ann.get("/api/saved_searches/list.json")).json).toEqual([expected]);
    expect((await ann.get(`/api/1.1/saved_searches/show/${made.json.id}.json`)).json).toEqual(expected);
    const xml = readXml(await ann.get("/api/saved_searches/list.xml"));
    expect([xml.name, textAt(xml, "search", "query")]).toEqual(["terms", "rye bread"]);
    expect((await ann.get("/api/saved_searches/create.json", { query: "x" })).status).toBe(405);
    for (const path of [`show/${made.json.id}`, "show/999999"]) {
      const { status, json } = await bob.get(`/api/saved_searches/${path}.json`);
      expect([status, json.error]).toEqual([404, "There is no saved search with this id."]);
    }
    expect((await bob.post(`/api/saved_searches/destroy/${made.json.id}.json`)).status).toBe(404);
    expect((await ann.post("/api/saved_searches/create.json", {})).status).toBe(400);
    expect((await ann.post(`/api/saved_searches/destroy/${made.json.id}.json`)).json).toEqual(expected);
    expect((await ann.send("DELETE", `/api/saved_searches/destroy/${made.json.id}.json`)).status).toBe(404);
  });
});
