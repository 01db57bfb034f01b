import { XMLParser, XMLValidator } from "fast-xml-parser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import type { Answer } from "../../../../test/support/client.ts";
import { password } from "../../../../test/support/hub.ts";
import { readXml, textAt } from "../../../../test/support/microblog.ts";
import { befriend } from "../../../../test/support/people.ts";
import { application, sendSigned } from "../../../../test/support/oauth.ts";

/** Feeds of the microblog API: microblog contract 4.5. */

let world: TestApp;
let ann: Person;
let bob: Person;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob] = [await world.person("ann"), await world.person("bob")];
  await befriend(world.hub, ann.channel, bob.channel);
  await ann.post("/api/statuses/update", { status: "First #tea, [b]bold[/b] & <1>" });
  await bob.post("/api/statuses/update", { status: "[img]https://example.org/a.png[/img]\nSecond @ann ]]> \u0001😀" });
  await world.work();
  const [second] = (await ann.get("/api/statuses/home_timeline")).json;
  await ann.post("/api/favorites/create", { id: second.id });
});
afterAll(() => world.close());

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  trimValues: false,
  attributeNamePrefix: "@",
  isArray: (name) => ["entry", "item", "link"].includes(name),
});

function read(answer: Answer, format: "rss" | "atom"): any {
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    `application/${format}+xml; charset=utf-8`,
  ]);
  expect(XMLValidator.validate(answer.text)).toBe(true);
  const document = parser.parse(answer.text);
  return format === "atom" ? document.feed : document.rss.channel;
}

const feeds = [
  "statuses/home_timeline",
  "statuses/friends_timeline",
  "statuses/public_timeline",
  "statuses/networkpublic_timeline",
  "statuses/mentions",
  "statuses/replies",
  "statuses/mentions_timeline",
  "statuses/user_timeline",
  "statuses/user_timeline/bob",
  "favorites",
  "search?q=%23tea",
];

function withFormat(path: string, format: string): string {
  const [name, query] = path.split("?");
  return `/api/${name}.${format}${query ? `?${query}` : ""}`;
}

describe.each(feeds)("%s", (path) => {
  test("is an Atom feed with every field", async () => {
    const statuses = (await ann.get(withFormat(path, "json"))).json;
    expect(statuses.length).toBeGreaterThan(0);
    const feed = read(await ann.get(withFormat(path, "atom")), "atom");
    const self = `http://hub.example${withFormat(path, "atom")}`;
    expect(feed["@xmlns"]).toBe("http://www.w3.org/2005/Atom");
    expect(feed).toMatchObject({ id: self, title: expect.stringMatching(/./), updated: "2026-03-01T12:00:00Z" });
    const [selfLink, alternate] = ["self", "alternate"].map((rel) => feed.link.find((one: any) => one["@rel"] === rel));
    expect([selfLink["@href"], alternate["@href"]]).toEqual([
      self,
      expect.stringMatching(/^http:\/\/hub\.example\/channel\/(ann|bob)$/),
    ]);
    expect(feed.entry).toHaveLength(statuses.length);
    feed.entry.forEach((entry: any, at: number) => {
      const status = statuses[at];
      expect(entry).toMatchObject({
        id: `tag:hub.example,2026-03-01:${status.id}`,
        title: status.text,
        content: { "@type": "html", "#text": status.statusnet_html },
        published: "2026-03-01T12:00:00Z",
        updated: "2026-03-01T12:00:00Z",
        author: { name: `${status.user.screen_name} (${status.user.name})`, uri: status.user.statusnet_profile_url },
      });
      expect(entry.link.map((one: any) => [one["@rel"], one["@href"]])).toEqual([
        ["alternate", status.external_url],
        ["related", status.user.profile_image_url],
      ]);
    });
  });

  test("is an RSS feed with every field", async () => {
    const statuses = (await ann.get(withFormat(path, "json"))).json;
    const channel = read(await ann.get(withFormat(path, "rss")), "rss");
    expect(channel).toMatchObject({
      title: expect.stringMatching(/./),
      description: expect.stringMatching(/./),
      language: "en",
      ttl: "40",
      image: { url: expect.stringMatching(/^http/), title: channel.title, link: channel.link },
    });
    expect(channel.item).toHaveLength(statuses.length);
    channel.item.forEach((item: any, at: number) => {
      const { user, text, external_url } = statuses[at];
      expect(item).toMatchObject({
        title: `${user.name}: ${text}`,
        // As HTML that shows the text.
        description: text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
        pubDate: "Sun, 01 Mar 2026 12:00:00 GMT",
        guid: external_url,
        link: [external_url],
      });
    });
  });

  test("needs the log-in that the endpoint needs, and says so in XML", async () => {
    for (const format of ["rss", "atom"]) {
      const answer = await world.anonymous.get(withFormat(path, format));
      expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, 'Basic realm="Hubbub"']);
      expect(textAt(readXml(answer), "error")).toBe("This API requires login");
    }
  });
});

test("errors keep their form", async () => {
  for (const format of ["rss", "atom"]) {
    const unknown = await ann.get(`/api/statuses/user_timeline/nobody.${format}`);
    expect([unknown.status, textAt(readXml(unknown), "error")]).toEqual([404, "User not found."]);
    expect((await ann.get(`/api/search.${format}`)).status).toBe(400);
    const other = await ann.get(`/api/statuses/show/1.${format}`);
    expect([other.status, textAt(readXml(other), "code")]).toEqual([404, "404"]);
  }
});

test("a feed without entries is still a feed", async () => {
  const feed = read(await bob.get("/api/favorites.atom"), "atom");
  expect([feed.entry, feed.updated]).toEqual([undefined, "1970-01-01T00:00:00Z"]);
  expect(read(await bob.get("/api/favorites.rss"), "rss").item).toBeUndefined();
});

test("its own address has what shapes it, and nothing secret", async () => {
  const query = { count: "5", page: "1", timestamp: "now", access_token: "topsecret", password: "topsecret" };
  const secrets = await application(world.hub, ann.channel);
  for (const format of ["atom", "rss"]) {
    const path = `/api/statuses/user_timeline/bob.${format}`;
    const signed = await sendSigned(world.app, world.hub, secrets, { path, query, place: "query" });
    const words = [password, "topsecret", "oauth_", "timestamp=", ...Object.values(secrets)];
    for (const { status, text } of [signed, await ann.get(path, query)]) {
      expect([status, words.filter((word) => text.includes(word))]).toEqual([200, []]);
      expect(text).toContain(`http://hub.example${path}?count=5&amp;page=1`);
    }
  }
});

test("a browser that follows such an address is not asked for a password", async () => {
  const headers = { "sec-fetch-site": "none" };
  const answer = await world.anonymous.get("/api/favorites.atom", {}, { headers });
  expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, 'OAuth realm="http://hub.example/"']);
});
