import { XMLParser, XMLValidator } from "fast-xml-parser";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Hono } from "hono";
import { makeChannel, openTestHub, password } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Channel } from "../../domain/identity/channels/channel.ts";
import { changeSite } from "../../domain/identity/site/site-settings.ts";
import { deleteItem } from "../../domain/items/posting/delete.ts";
import { postItem } from "../../domain/items/posting/post.ts";
import type { Audience, Item } from "../../domain/items/types.ts";
import { webPages } from "./web.ts";

/** Feeds of channels, for readers that are nobody. */

let hub: TestHub;
let app: Hono;
let ann: Channel;

beforeEach(async () => {
  hub = await openTestHub();
  app = webPages(hub);
  ann = await makeChannel(hub, "ann");
});
afterEach(() => hub.close());

const anybody: Audience = { allow_cid: [], allow_gid: [], deny_cid: [], deny_gid: [] };

function post(body: string, more: { title?: string } = {}): Promise<Item> {
  return postItem(hub, ann, { body, audience: anybody, ...more });
}

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  trimValues: false,
  attributeNamePrefix: "@",
  isArray: (name) => ["entry", "item", "link"].includes(name),
});

async function fetchFeed(path: string, headers: Record<string, string> = {}) {
  const response = await app.request(`http://${hub.config.host}${path}`, { headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

async function read(path: string): Promise<any> {
  const { status, headers, text } = await fetchFeed(path);
  const format = path.split("?")[0]!.endsWith(".rss") ? "rss" : "atom";
  expect([status, headers.get("content-type")]).toEqual([200, `application/${format}+xml; charset=utf-8`]);
  expect(XMLValidator.validate(text)).toBe(true);
  const document = parser.parse(text);
  return format === "rss" ? document.rss.channel : document.feed;
}

function linkOf(feed: any, rel: string): string | undefined {
  return feed.link?.find((one: any) => one["@rel"] === rel)?.["@href"];
}

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

test("Atom has what RFC 4287 asks for", async () => {
  const item = await post("Hello [b]world[/b] ]]> & 😀", { title: "A & title" });
  await post("x".repeat(300));
  for (const path of ["/feed/ann", "/feed/ann.atom"]) {
    const feed = await read(path);
    expect(feed).toMatchObject({
      "@xmlns": "http://www.w3.org/2005/Atom",
      id: `http://hub.example${path}`,
      title: "Ann",
      updated: expect.stringMatching(moment),
    });
    expect(linkOf(feed, "self")).toBe(`http://hub.example${path}`);
    expect(linkOf(feed, "alternate")).toBe("http://hub.example/channel/ann");
    expect(linkOf(feed, "next")).toBeUndefined();
    const [long, first] = feed.entry;
    expect(long.title).toBe(`${"x".repeat(80)}…`);
    expect(first).toMatchObject({
      id: `tag:hub.example,${item.created.slice(0, 10)}:${item.id}`,
      title: "A & title",
      content: { "@type": "html" },
      published: expect.stringMatching(moment),
      updated: expect.stringMatching(moment),
      author: { name: "ann (Ann)", uri: "http://hub.example/channel/ann" },
    });
    expect(first.content["#text"]).toContain("<strong>world</strong> ]]&gt; &amp; 😀");
    expect(linkOf(first, "alternate")).toBe(item.plink);
  }
});

test("RSS has what RSS 2.0 asks for", async () => {
  const item = await post("Hello\n[b]world[/b] <&>");
  const channel = await read("/feed/ann.rss");
  expect(channel).toMatchObject({
    title: "Ann",
    link: ["http://hub.example/channel/ann"],
    description: "Public posts of ann@hub.example",
    ttl: "40",
  });
  expect(channel.item).toEqual([
    {
      title: "Ann: Hello world <&>",
      description: "Hello\nworld &lt;&amp;&gt;",
      pubDate: new Date(`${item.created.replace(" ", "T")}Z`).toUTCString(),
      guid: item.plink,
      link: [item.plink],
    },
  ]);
});

describe("asking again", () => {
  test("what has not changed is not sent again", async () => {
    await post("One");
    const { headers } = await fetchFeed("/feed/ann");
    const [etag, modified] = [headers.get("etag")!, headers.get("last-modified")!];
    for (const known of [
      { "if-none-match": etag },
      { "if-none-match": `"x", W/${etag}` },
      { "if-modified-since": modified },
    ]) {
      const answer = await fetchFeed("/feed/ann", known);
      expect([answer.status, answer.text, answer.headers.get("etag")]).toEqual([304, "", etag]);
    }
    // The version goes before the date (RFC 9110, 13.2.2).
    const both = { "if-none-match": '"other"', "if-modified-since": modified };
    expect((await fetchFeed("/feed/ann", both)).status).toBe(200);
  });

  test("a new post and a deleted one are changes", async () => {
    const first = await post("One");
    const before = await fetchFeed("/feed/ann");
    await post("Two");
    const since = { "if-none-match": before.headers.get("etag")! };
    const after = await fetchFeed("/feed/ann", since);
    expect([after.status, after.text.includes("Two")]).toEqual([200, true]);
    await deleteItem(hub, ann, { id: first.id });
    expect((await fetchFeed("/feed/ann", { "if-none-match": after.headers.get("etag")! })).status).toBe(200);
  });

  test("HEAD has the headers alone", async () => {
    await post("One");
    const response = await app.request("http://hub.example/feed/ann", { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(response.headers.get("etag")).toMatch(/^"[\w-]{22}"$/);
  });
});

test("pages follow each other without gaps, also when somebody posts in between", async () => {
  for (let n = 0; n < 45; n++) await post(`Number ${n}`);
  const seen: string[] = [];
  let path: string | undefined = "/feed/ann";
  while (path) {
    const feed: any = await read(path);
    seen.push(...feed.entry.map((entry: any) => entry.title));
    path = linkOf(feed, "next")?.replace("http://hub.example", "");
    if (seen.length === 20) await post("Meanwhile");
  }
  expect(seen).toEqual(Array.from({ length: 45 }, (_, n) => `Number ${44 - n}`));
  const { text } = await fetchFeed("/feed/ann.rss");
  expect(text).toMatch(/<atom:link rel="next" [^>]*href="http:\/\/hub\.example\/feed\/ann\.rss\?before=\d+"\/>/);
});

test("the channel's page tells readers where the feed is", async () => {
  const { text } = await visitorOf(app).get("/channel/ann");
  expect(text).toContain('<link rel="alternate" type="application/atom+xml" title="Ann" href="/feed/ann" />');
  expect(text).toContain('<link rel="alternate" type="application/rss+xml" title="Ann (RSS)" href="/feed/ann.rss" />');
  const own = visitorOf(app, hub.config.host);
  await own.logIn("ann", password);
  expect((await own.get("/channel/ann")).text).toContain('href="/feed/ann"');
  expect((await visitorOf(app).get("/login")).text).not.toContain("application/atom+xml");
});

describe("privacy", () => {
  const secret = "xyzzy";

  test("private posts are in nobody's feed, whoever asks", async () => {
    await makeChannel(hub, "bob");
    await postItem(hub, ann, { body: secret, audience: { ...anybody, allow_cid: [ann.channel_hash] } });
    await post("open");
    for (const nick of ["ann", "bob"]) {
      const visitor = visitorOf(app, hub.config.host);
      await visitor.logIn(nick, password);
      for (const path of ["/feed/ann", "/feed/ann.rss"]) {
        const { status, text } = await visitor.get(path);
        expect([status, text.includes(secret), text.includes("open")]).toEqual([200, false, true]);
      }
    }
    expect((await fetchFeed("/feed/ann")).text).not.toContain(secret);
  });

  test("a channel that shows its posts to nobody has none, and a closed site has none at all", async () => {
    await post("open");
    const unknown = await fetchFeed("/feed/nobody");
    expect(unknown.status).toBe(404);
    await changeSite(hub, { blockPublic: true });
    for (const path of ["/feed/ann", "/feed/ann.rss", "/feed/ann?before=9"]) {
      const { status, text } = await fetchFeed(path);
      expect([status, text.includes("open")]).toEqual([404, false]);
    }
    const own = visitorOf(app, hub.config.host);
    await own.logIn("ann", password);
    expect((await own.get("/feed/ann")).status).toBe(404);
    expect((await own.get("/channel/ann")).text).not.toContain("/feed/ann");
  });
});

test("names that are none", async () => {
  for (const path of ["/feed/", "/feed/ann.json", "/feed/.rss", "/feed/ann.rss.rss", "/feed/%00", "/feed/ann/more"])
    expect([path, (await fetchFeed(path)).status]).toEqual([path, 404]);
  expect((await read("/feed/ann?before=nonsense")).title).toBe("Ann");
  expect((await read("/feed/ANN")).title).toBe("Ann");
});
