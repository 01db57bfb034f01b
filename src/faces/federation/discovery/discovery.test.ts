import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { XMLParser } from "fast-xml-parser";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { removeChannel } from "../../../domain/connections/remove-channel.ts";
import { setAccountFlag } from "../../../domain/identity/accounts/accounts.ts";
import { changeSite } from "../../../domain/identity/site/site-settings.ts";
import { version } from "../../../version.ts";

let world: TestApp;
let alma: Person;

beforeAll(async () => {
  world = await openTestApp();
  alma = await world.person("alma");
  const [gone, held, waiting] = [await world.person("gone"), await world.person("held"), await world.person("waiting")];
  await removeChannel(world.hub, gone.channel.channel_id);
  await setAccountFlag(world.hub, held.channel.channel_account_id, "blocked", true);
  await setAccountFlag(world.hub, waiting.channel.channel_account_id, "pending", true);
});
afterAll(() => world.close());

const finger = (resource: string) => world.anonymous.get("/.well-known/webfinger", { resource });
const get = (path: string, headers: Record<string, string> = {}) => world.anonymous.get(path, {}, { headers });

describe("WebFinger", () => {
  test.each([
    "acct:alma@hub.example",
    "acct:ALMA@HUB.example",
    "acct:@alma@hub.example",
    "alma@hub.example",
    "acct:alma@hub.example:80",
    "acct%3Aalma%40hub.example",
    "http://hub.example/channel/alma",
    "http://HUB.example:80/channel/alma",
    "http%3A%2F%2Fhub.example%2Fchannel%2Falma",
    "http://hub.example/profile/alma",
    "http://hub.example/@alma",
  ])("finds a channel as %s", async (resource) => {
    const answer = await finger(resource);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/jrd+json");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const href = "http://hub.example/channel/alma";
    expect(answer.json).toEqual({
      subject: "acct:alma@hub.example",
      aliases: [href],
      links: [
        { rel: "self", type: "application/activity+json", href },
        { rel: "self", type: 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"', href },
        { rel: "http://webfinger.net/rel/profile-page", type: "text/html", href },
        {
          rel: "http://webfinger.net/rel/avatar",
          href: `http://hub.example/photo/profile/l/${alma.channel.channel_id}`,
        },
        { rel: "http://ostatus.org/schema/1.0/subscribe", template: "http://hub.example/follow?f=&url={uri}" },
      ],
    });
  });

  test.each([
    "acct:instance.actor@hub.example",
    "http://hub.example/actor",
    "http://hub.example",
    "http://hub.example/",
  ])("finds the site as %s", async (resource) => {
    expect((await finger(resource)).json).toMatchObject({
      subject: "acct:instance.actor@hub.example",
      links: [{ rel: "self", type: "application/activity+json", href: "http://hub.example/actor" }, {}],
    });
  });

  test.each([
    ["nothing", "", 400],
    ["an unknown nick", "acct:nobody@hub.example", 404],
    ["another host", "acct:alma@other.example", 404],
    ["another port", "acct:alma@hub.example:8443", 404],
    ["another scheme", "https://hub.example/channel/alma", 404],
    ["another address of ours", "http://hub.example/photos/alma", 404],
    ["no address at all", "alma", 404],
    ["a nick that cannot be", "acct:a\0b@hub.example", 404],
    ["escapes that end too early", "acct:%E0%40hub.example", 404],
    ["somebody who has been removed", "acct:gone@hub.example", 410],
    ["somebody whose account is blocked", "acct:held@hub.example", 410],
    ["somebody who waits to be let in", "acct:waiting@hub.example", 404],
  ])("does not find %s", async (_, resource, status) => {
    const answer = await finger(resource);
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([status, "*"]);
    expect(answer.json).toEqual({ error: expect.any(String) });
  });

  test("says the same of somebody who waits as of nobody", async () => {
    expect((await finger("acct:waiting@hub.example")).text).toBe((await finger("acct:nobody@hub.example")).text);
  });
});

describe("host-meta", () => {
  const template = "http://hub.example/.well-known/webfinger?resource={uri}";

  test("leads to WebFinger, as XML and as JSON", async () => {
    const xml = await get("/.well-known/host-meta");
    expect(xml.headers.get("content-type")).toBe("application/xrd+xml; charset=utf-8");
    const { XRD } = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "" }).parse(xml.text) as {
      XRD: { Link: object };
    };
    expect(XRD.Link).toEqual({ rel: "lrdd", type: "application/jrd+json", template });
    const json = await get("/.well-known/host-meta.json");
    expect(json.headers.get("content-type")).toBe("application/jrd+json");
    expect(json.json).toEqual({ links: [{ rel: "lrdd", type: "application/jrd+json", template }] });
  });
});

describe("NodeInfo", () => {
  test("says where it is, and who acts for the site", async () => {
    expect((await get("/.well-known/nodeinfo")).json).toEqual({
      links: [
        { rel: "http://nodeinfo.diaspora.software/ns/schema/2.0", href: "http://hub.example/nodeinfo/2.0" },
        { rel: "http://nodeinfo.diaspora.software/ns/schema/2.1", href: "http://hub.example/nodeinfo/2.1" },
        { rel: "https://www.w3.org/ns/activitystreams#Application", href: "http://hub.example/actor" },
      ],
    });
  });

  test.each(["2.1", "2.0"])("%s has the software and counts whoever is there, not the site itself", async (schema) => {
    await alma.post("/api/z/1.0/item/update", { body: "public" });
    world.hub.advance(700);
    const answer = await get(`/nodeinfo/${schema}`);
    expect(answer.headers.get("content-type")).toBe(
      `application/json; profile="http://nodeinfo.diaspora.software/ns/schema/${schema}#"`,
    );
    expect(answer.json).toMatchObject({
      version: schema,
      software: { name: "hubbub", version, ...(schema === "2.1" && { repository: "http://hub.example/source" }) },
      protocols: ["activitypub"],
      openRegistrations: true,
      usage: { users: { total: 1, activeMonth: 1, activeHalfyear: 1 }, localPosts: schema === "2.1" ? 1 : 2 },
      metadata: { nodeName: "Hubbub", nodeDescription: "", upstream: { name: "mastodon" }, features: ["mastodon_api"] },
    });
  });

  test("keeps the figures to itself where the administrator wants it", async () => {
    await changeSite(world.hub, { hidesFigures: true, registration: "closed" });
    const { json } = await get("/nodeinfo/2.1");
    expect([json.usage, json.openRegistrations]).toEqual([{ users: {} }, false]);
    await changeSite(world.hub, { hidesFigures: false, registration: "open" });
  });
});

describe("requests for documents", () => {
  const path = "/.well-known/nodeinfo";

  test.each([
    ["/.well-known/webfinger?resource=acct:alma@hub.example", "application/jrd+json"],
    ["/.well-known/webfinger?resource=acct:alma@hub.example", "application/jrd+json, application/json;q=0.9"],
    ["/.well-known/host-meta", "application/xrd+xml"],
    ["/.well-known/host-meta", "text/xml, application/xml"],
    ["/nodeinfo/2.1", "application/json"],
    ["/actor", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"],
    ["/actor", 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"'],
    ["/actor", "nonsense"],
  ])("%s goes out as %s", async (path, accept) => {
    expect((await get(path, { accept })).status).toBe(200);
  });

  test("who has it already gets 304, and who takes none of its types 406", async () => {
    const etag = (await get(path)).headers.get("etag")!;
    expect((await get(path, { "if-none-match": etag })).status).toBe(304);
    expect((await get(path, { "if-none-match": '"other"' })).status).toBe(200);
    expect((await get(path, { accept: "text/turtle" })).status).toBe(406);
  });

  test("an address has 120 a minute", async () => {
    const limited = await openTestApp({ env: { HUBBUB_RATE_LIMITS: "on" } });
    for (let count = 0; count < 120; count++) expect((await limited.anonymous.get(path)).status).toBe(200);
    const refused = await limited.anonymous.get(path);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    limited.hub.advance(60);
    expect((await limited.anonymous.get(path)).status).toBe(200);
    await limited.close();
  });
});
