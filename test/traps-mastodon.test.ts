import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { postItem } from "../src/domain/items/posting/post.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import { appModels, iceApp, iceGroup, iceToken, tuskyRelationship, tuskyScheduled } from "./support/app-models.ts";
import type { Answer, Client } from "./support/client.ts";
import { codeIn, sayYes } from "./support/consent.ts";
import { password } from "./support/hub.ts";
import { bearerFor, mastodonClient, mastodonPerson } from "./support/mastodon.ts";
import { befriend } from "./support/people.ts";
import { formWith, picture } from "./support/pictures.ts";
import { visitorOf } from "./support/visitor.ts";

/** What trips single applications (mastodon contract 17): their requests as they send them, answers read by models written after theirs. */

let world: TestApp;
let ann: Person;
let bob: Person;
let anns: Client;
let bobs: Client;
let anyone: Client;
let group: string;

beforeAll(async () => {
  world = await openTestApp();
  ann = await world.person("ann");
  bob = await world.person("bob");
  anns = await mastodonPerson(world, ann.channel, "read write follow push");
  bobs = await mastodonPerson(world, bob.channel);
  anyone = mastodonClient(world);
  await befriend(world.hub, ann.channel, bob.channel);
  group = String((await ann.post("/api/1.1/lists/create.json", { name: "Choir" })).json.id);
  await ann.post("/api/1.1/lists/members/create.json", { list_id: group, screen_name: "bob" });
  await fillTheStream();
});
afterAll(() => world.close());

/** Posts of all kinds, written by both, so that every page has all of them. */
async function fillTheStream(): Promise<void> {
  const png = await picture(40, 30).png().toBuffer();
  const media = await anns.send(
    "POST",
    "/api/v2/media",
    formWith({ description: "A tree" }, [["file", png, "tree.png", "image/png"]]),
  );
  const post = async (client: Client, form: Record<string, unknown>): Promise<string> => {
    const { status, json, text } = await client.post("/api/v1/statuses", form);
    expect([status, status === 200 || text]).toEqual([200, true]);
    await world.work();
    return json.id as string;
  };
  const plain = await post(anns, { status: "Tea @bob #Tea https://example.org/a?b=c&d=e" });
  await post(anns, { status: "hot", spoiler_text: "A warning", sensitive: true, visibility: "unlisted" });
  await post(anns, { status: "", media_ids: [media.json.id] });
  await post(anns, { status: "for friends", visibility: "private" });
  await post(anns, { status: "psst @bob", visibility: "direct" });
  await post(anns, { status: "to the choir", visibility: group });
  await post(bobs, { status: "@ann yes", in_reply_to_id: await copyOf(bobs, plain) });
  await postItem(world.hub, ann.channel, { body: "With a title", title: "Title" });
  await postItem(world.hub, bob.channel, { body: "Asks @ann", objType: "Question", obj: question });
  await world.work();
  await bobs.post(`/api/v1/statuses/${await copyOf(bobs, plain)}/favourite`);
  await bobs.post(`/api/v1/statuses/${await copyOf(bobs, plain)}/reblog`);
  await world.work();
}

const options = ["Tea", "Coffee"].map((name) => ({
  type: "Note",
  name,
  replies: { type: "Collection", totalItems: 0 },
}));
const question = JSON.stringify({ type: "Question", oneOf: options });

async function copyOf(client: Client, id: string): Promise<string> {
  const { uri } = (await anns.get(`/api/v1/statuses/${id}`)).json;
  const found = (await client.get("/api/v1/timelines/home")).json.find((one: { uri: string }) => one.uri === uri);
  return found.id as string;
}

const home = async (client = anns): Promise<any[]> => (await client.get("/api/v1/timelines/home", { limit: 40 })).json;

describe.each(Object.entries(appModels))("%s reads", (_name, { account, status, notification, instance }) => {
  test.each([
    ["home", "/api/v1/timelines/home"],
    ["public posts", "/api/v1/timelines/public"],
  ])("%s", async (_list, path) => {
    const { json } = await anns.get(path, { limit: 40 });
    expect(json.length).toBeGreaterThan(3);
    for (const one of json) expect([one, status.safeParse(one).error]).toEqual([one, undefined]);
  });

  test("a thread, and whoever takes part in it", async () => {
    const answer = (await home()).find(({ in_reply_to_id }) => in_reply_to_id !== null);
    const { json } = await anns.get(`/api/v1/statuses/${answer.id}/context`);
    for (const one of [...json.ancestors, ...json.descendants]) status.parse(one);
    for (const path of ["verify_credentials", answer.account.id, `${answer.account.id}/following`]) {
      const people = (await anns.get(`/api/v1/accounts/${path}`)).json;
      for (const one of [people].flat()) account.parse(one);
    }
  });

  test("notifications", async () => {
    const { json } = await anns.get("/api/v1/notifications", { limit: 40, exclude_types: ["poll", "admin.report"] });
    expect(json.map(({ type }: { type: string }) => type)).toEqual(
      expect.arrayContaining(["mention", "favourite", "reblog", "follow"]),
    );
    for (const one of json) expect([one, notification.safeParse(one).error]).toEqual([one, undefined]);
  });

  test("what the hub is", async () => {
    instance.parse((await anyone.get("/api/v2/instance")).json);
  });
});

/** Where somebody is led who says yes to an application in their browser. */
async function consent(query: Record<string, string>): Promise<string> {
  const visitor = visitorOf(world.app);
  await visitor.logIn("ann", password);
  return sayYes(visitor, `/oauth/authorize?${new URLSearchParams(query).toString()}`);
}

/** An application with its token, as most of them do it: forms all the way. */
async function enter(redirect: string, scope: string, more: Record<string, string> = {}): Promise<[Answer, string]> {
  const form = (fields: Record<string, string>) => new URLSearchParams(fields);
  const app = { client_name: "App", redirect_uris: redirect, scopes: scope };
  const { client_id, client_secret } = (await anyone.send("POST", "/api/v1/apps", form(app))).json;
  const location = await consent({ client_id, redirect_uri: redirect, response_type: "code", scope });
  const grant = { grant_type: "authorization_code", code: codeIn(location), client_id, client_secret };
  const token = await anyone.send("POST", "/oauth/token", form({ ...grant, redirect_uri: redirect, ...more }));
  return [token, location];
}

describe("logging in", () => {
  test.each([
    ["Tusky", "oauth2redirect://com.keylesspalace.tusky/", "read write follow push"],
    ["Ivory", "com.tapbots.Ivory.10217:/request_token", "read write follow push"],
    ["Ice Cubes", "icecubesapp://", "read write follow push"],
    ["Mona", "mona://oauth", "read write follow push"],
    ["Fedilab", "fedilab://backtofedilab", "read write follow"],
    ["Moshidon", "mastodon-android-auth://callback", "read write follow push"],
    ["Elk", "https://elk.example/api/hub.example/oauth/https%3A%2F%2Felk.example", "read write follow push"],
    ["Raccoon", "raccoonforfriendica://auth", "read write follow push"],
  ])("%s is led straight to the address that it has registered, letter by letter", async (_name, redirect, scope) => {
    const [token, location] = await enter(redirect, scope);
    expect(location.startsWith(redirect)).toBe(true);
    expect([token.status, token.json.scope]).toEqual([200, scope]);
  });

  test("Ice Cubes: in the query for an application, JSON for a token", async () => {
    const query = {
      client_name: "IceCubesApp",
      redirect_uris: "icecubesapp://",
      scopes: "read write follow push",
      website: "https://icecubesapp.example",
    };
    const app = iceApp.parse((await anyone.send("POST", "/api/v1/apps", undefined, { query })).json);
    const { client_id, client_secret, redirect_uri } = app;
    const location = await consent({ response_type: "code", client_id, redirect_uri, scope: query.scopes });
    const grant = { grant_type: "authorization_code", client_id, client_secret, redirect_uri, code: codeIn(location) };
    iceToken.parse((await anyone.post("/oauth/token", grant)).json);
  });

  test("Elk sends scope with the code, tooot and Subway Tooter their credentials twice", async () => {
    expect((await enter("https://elk.example/back", "read write", { scope: "read write follow push" }))[0].status).toBe(
      200,
    );
    const app = { client_name: "tooot", redirect_uris: "tooot://expo-auth-session", scopes: "read write follow push" };
    const { client_id, client_secret } = (await anyone.post("/api/v1/apps", app)).json;
    const asked = { client_id, redirect_uri: app.redirect_uris, response_type: "code", scope: app.scopes };
    const form = new URLSearchParams({
      grant_type: "authorization_code",
      code: codeIn(await consent(asked)),
      client_id,
      client_secret,
      redirect_uri: app.redirect_uris,
    });
    const twice = { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}` };
    expect((await anyone.send("POST", "/oauth/token", form, { headers: twice })).status).toBe(200);
  });

  test("Elk registers anew when it is told that the client is unknown", async () => {
    const wrong = { grant_type: "client_credentials", client_id: "gone", client_secret: "gone" };
    const { status, json } = await anyone.post("/oauth/token", wrong);
    expect([status, json.error]).toEqual([401, "invalid_client"]);
  });

  test("BitlBee registers with a token that it does not have yet", async () => {
    const headers = { authorization: "Bearer (null)" };
    const form = new URLSearchParams({ client_name: "bitlbee", redirect_uris: "urn:ietf:wg:oauth:2.0:oob" });
    iceApp.parse((await anyone.send("POST", "/api/v1/apps", form, { headers })).json);
  });

  test("toot asks with a slash at the end, Mastodon.py says False and None, and passwords are not taken", async () => {
    const redirect_uri = "urn:ietf:wg:oauth:2.0:oob";
    const app = {
      client_name: "toot - a Mastodon CLI client",
      redirect_uris: redirect_uri,
      scopes: "read write follow",
    };
    const { client_id, client_secret } = (await anyone.post("/api/v1/apps", app)).json;
    const visitor = visitorOf(world.app);
    await visitor.logIn("ann", password);
    const asked = { response_type: "code", redirect_uri, scope: app.scopes, client_id };
    const python = { force_login: "False", state: "None", lang: "None" };
    const shown = await visitor.get(`/oauth/authorize/?${new URLSearchParams({ ...asked, ...python }).toString()}`);
    expect([shown.status, shown.text.includes('name="oauth_yes"')]).toEqual([200, true]);
    const login = { grant_type: "password", client_id, client_secret, username: "ann", password, scope: app.scopes };
    const { status, json } = await anyone.send("POST", "/oauth/token", new URLSearchParams(login));
    expect([status, json.error, typeof json.error_description]).toEqual([400, "unsupported_grant_type", "string"]);
  });

  test("Phanpy uses PKCE where S256 is offered, and browsers may ask from anywhere", async () => {
    const metadata = await anyone.get("/.well-known/oauth-authorization-server");
    expect(metadata.json.code_challenge_methods_supported).toContain("S256");
    for (const path of ["/oauth/token", "/oauth/revoke", "/oauth/userinfo", "/api/v2/instance"])
      expect([path, (await anyone.send("OPTIONS", path)).headers.get("access-control-allow-origin")]).toEqual([
        path,
        "*",
      ]);
    const documents = [
      "oauth-authorization-server",
      "nodeinfo",
      "host-meta",
      "webfinger?resource=acct:ann@hub.example",
    ];
    for (const path of [...documents.map((name) => `/.well-known/${name}`), "/nodeinfo/2.0"]) {
      const { headers, status } = await world.anonymous.get(
        path,
        {},
        { headers: { origin: "https://phanpy.example" } },
      );
      expect([path, status, headers.get("access-control-allow-origin")]).toEqual([path, 200, "*"]);
    }
  });

  test("Mastodon.py finds places by https alone where the hub is at https, as nothing else is asked by it", async () => {
    const secure = await openTestApp({ env: { HUBBUB_BASE_URL: "https://hub.example" } });
    const { json } = await secure.anonymous.get("/.well-known/oauth-authorization-server");
    const places = Object.entries(json).filter(([name]) => name === "issuer" || name.endsWith("_endpoint"));
    expect(places.length).toBeGreaterThan(3);
    for (const [name, place] of places)
      expect([name, place]).toEqual([name, expect.stringMatching(/^https:\/\/hub\.example\//)]);
    await secure.close();
  });

  test("a bad token is 401 with the words on which applications log out, and what is missing is not", async () => {
    const { status, json, headers } = await mastodonClient(world, "gone").get("/api/v1/timelines/home");
    expect([status, json]).toEqual([401, { error: "The access token is invalid" }]);
    expect(headers.get("www-authenticate")).toContain("Bearer");
    for (const path of ["/api/v1/push/subscription", "/api/v1/nothing", "/api/v2_alpha/nothing"])
      expect((await anns.get(path)).status).toBe(404);
  });
});

describe("at the start", () => {
  test("Ivory and Mona find all that they stop without", async () => {
    const { json } = await anns.get("/api/v1/accounts/verify_credentials");
    for (const path of ["/api/v2/instance", "/api/v1/instance", "/api/v1/preferences", `/api/v1/accounts/${json.id}`])
      expect([path, (await anns.get(path)).status]).toEqual([path, 200]);
    const { max_toot_chars } = (await anyone.get("/api/v1/instance")).json;
    expect(max_toot_chars).toBeTypeOf("number");
  });

  test("the official applications find empty lists, and no page that stops", async () => {
    const empty = ["trends/tags", "trends/statuses", "trends/links", "announcements", "custom_emojis", "filters"];
    for (const name of [...empty, "followed_tags", "suggestions", "domain_blocks", "endorsements", "featured_tags"])
      expect([name, (await anns.get(`/api/v1/${name}`)).json]).toEqual([name, []]);
    expect((await anns.get("/api/v2/suggestions")).json).toEqual([]);
    expect((await anns.get("/api/v2/filters")).json).toEqual([]);
  });

  test("Pinafore and Phanpy take the host as it is told", async () => {
    const { uri, urls } = (await anyone.get("/api/v1/instance")).json;
    expect([uri, urls.streaming_api]).toEqual(["hub.example", "ws://hub.example"]);
    const { json } = await world.anonymous.get("/nodeinfo/2.0");
    expect([json.software.name, json.metadata.upstream]).toEqual(["hubbub", { name: "mastodon" }]);
  });

  test("Fedi finds the version that it knows what to do with, and Raccoon no Friendica", async () => {
    for (const path of ["/api/v1/instance", "/api/v2/instance"]) {
      const { version } = (await anyone.get(path)).json;
      expect(version).toMatch(/^4\.\d+\.\d+ \(compatible; Hubbub /);
      expect(version).not.toMatch(/friendica|pleroma|akkoma|gotosocial|glitch/i);
    }
  });
});

describe("reading", () => {
  test("Tusky and the Perl library: ids grow, and stay numbers", async () => {
    const ids = (await home()).map(({ id }) => id as string);
    const byTusky = ids.toSorted((a, b) => b.length - a.length || (a < b ? 1 : -1));
    expect(ids).toEqual(byTusky);
    expect(ids.every((id) => Number(id) < 2 ** 53)).toBe(true);
  });

  test("Tusky: whoever is mentioned stands in the mentions, first whom it answers", async () => {
    const { json } = await anns.get("/api/v1/notifications", { types: ["mention"] });
    expect(json.length).toBeGreaterThan(0);
    for (const { status } of json) expect(status.mentions.map(({ acct }: { acct: string }) => acct)).toContain("ann");
  });

  test("the mention is linked in the text by the address in the mentions", async () => {
    const status = (await home()).find(({ tags }) => tags.length > 0);
    expect(status.content).toContain(`href="${status.mentions[0].url}" class="u-url mention"`);
    expect(status.content).toContain(`href="${status.tags[0].url}" class="mention hashtag"`);
    expect(status.tags[0].name).toBe("tea");
  });

  test("Ice Cubes knows a missing header by its name", async () => {
    const { header, header_static } = (await anns.get("/api/v1/accounts/verify_credentials")).json;
    expect([header, header_static].every((one) => one.endsWith("/missing.png"))).toBe(true);
  });

  test("Ice Cubes: groups of notifications have numbers and dates", async () => {
    const { json } = await anns.get("/api/v2/notifications", { grouped_types: ["favourite", "follow", "reblog"] });
    expect(json.notification_groups.length).toBeGreaterThan(2);
    for (const one of json.notification_groups) iceGroup.parse(one);
    const one = json.notification_groups[0].group_key;
    for (const group of (await anns.get(`/api/v2/notifications/${one}`)).json.notification_groups)
      iceGroup.parse(group);
  });

  test("Moshidon and Phanpy: types that nobody knows are dropped, and both versions of notifications have the same", async () => {
    const types = ["mention", "status", "severed_relationships", "annual_report", "quote", "added_to_collection"];
    const first = (await anns.get("/api/v1/notifications", { types, limit: 80 })).json;
    const second = (await anns.get("/api/v2/notifications", { types, limit: 80 })).json;
    expect(first.length).toBeGreaterThan(0);
    const newest = second.notification_groups.map((one: any) => String(one.most_recent_notification_id));
    expect(first.map(({ id }: { id: string }) => id)).toEqual(newest);
    expect((await anns.get("/api/v1/notifications", { types: ["severed_relationships"] })).json).toEqual([]);
  });

  test("Subway Tooter fills gaps upwards, and goes on from a short page", async () => {
    const page = await anns.get("/api/v1/timelines/home", { limit: 2 });
    const link = page.headers.get("link")!;
    expect(link).toMatch(/^<[^>]+[?&]max_id=\d+[^>]*>; rel="next", <[^>]+[?&]min_id=\d+[^>]*>; rel="prev"$/);
    const all = (await home()).map(({ id }) => id as string);
    const gap = await anns.get("/api/v1/timelines/home", { limit: 2, min_id: all.at(-1), max_id: all[0] });
    expect(gap.json.map(({ id }: { id: string }) => id)).toEqual(all.slice(-3, -1));
    expect(gap.headers.get("link")).toContain('rel="prev"');
  });

  test("Moshidon knows a file that is neither picture, film nor sound as unknown", async () => {
    const file = formWith({}, [["file", Buffer.from("%PDF-1.4"), "notes.pdf", "application/pdf"]]);
    const { json } = await anns.send("POST", "/api/v2/media", file);
    expect([json.type, json.preview_url]).toEqual(["unknown", null]);
    const { media_attachments } = (await anns.post("/api/v1/statuses", { status: "notes", media_ids: [json.id] })).json;
    expect(media_attachments).toMatchObject([{ id: json.id, type: "unknown" }]);
  });

  test("the official application for iOS is told no size rather than none", async () => {
    const files: Parameters<typeof formWith>[1] = [
      ["file", await picture(8, 8).gif().toBuffer(), "a.gif", "image/gif"],
      ["file", Buffer.from("OggS"), "a.ogg", "audio/ogg"],
    ];
    for (const file of files) {
      const { json } = await anns.send("POST", "/api/v2/media", formWith({}, [file]));
      const { original, small } = json.meta ?? {};
      for (const size of [original, small]) if (size) expect(size.width * size.height).toBeGreaterThan(0);
    }
  });
});

describe("doing", () => {
  test("Subway Tooter follows twice, and Tusky reads what connects one with people", async () => {
    const carl = await world.person("carl");
    const id = String(carl.channel.xchan_id);
    for (let time = 0; time < 2; time++) {
      const { status, json } = await anns.send("POST", `/api/v1/accounts/${id}/follow`, new URLSearchParams({}));
      tuskyRelationship.parse(json);
      expect([status, json.following || json.requested]).toEqual([200, true]);
    }
    for (const name of ["id", "id[]", "id[0]"]) {
      const { json } = await anns.get(`/api/v1/accounts/relationships?${name}=${id}`);
      expect(json.map((one: { id: string }) => one.id)).toEqual([id]);
    }
  });

  test("Subway Tooter names people of lists in the query, in a form or in JSON", async () => {
    const id = (await anns.post("/api/v1/lists", { title: "Named" })).json.id as string;
    const path = `/api/v1/lists/${id}/accounts`;
    const person = String(bob.channel.xchan_id);
    const json = { headers: { "content-type": "application/json" } };
    for (const [query, body, more] of [
      [`?account_ids[]=${person}`, undefined, {}],
      [`?account_ids=${person}`, undefined, {}],
      ["", new URLSearchParams({ "account_ids[]": person }), {}],
      ["", JSON.stringify({ account_ids: [Number(person)] }), json],
    ] as const) {
      for (const method of ["POST", "DELETE"]) {
        expect([method, query, (await anns.send(method, path + query, body, more)).status]).toEqual([
          method,
          query,
          200,
        ]);
        const members = (await anns.get(path)).json.map((one: { id: string }) => one.id);
        expect(members).toEqual(method === "POST" ? [person] : []);
      }
    }
  });

  test("Pinafore votes with texts", async () => {
    const asked = (await home()).find(({ poll }) => poll !== null);
    const body = JSON.stringify({ choices: ["1"] });
    const headers = { "content-type": "application/json" };
    const { status, json } = await anns.send("POST", `/api/v1/polls/${asked.poll.id}/votes`, body, { headers });
    expect([status, json.own_votes]).toEqual([200, [1]]);
  });

  test("whoever runs the hub is told what a proxy must pass on", () => {
    const said = readFileSync(new URL("../docs/operating.md", import.meta.url), "utf8");
    for (const word of ["`Authorization`", "proxy_set_header Upgrade", "X-Accel-Buffering"])
      expect(said).toContain(word);
  });

  test("Raccoon sends the id of a circle as visibility", async () => {
    const { status, json } = await anns.post("/api/v1/statuses", { status: "from Raccoon", visibility: group });
    expect([status, json.visibility]).toEqual([200, "private"]);
    await world.work();
    expect((await anyone.get(`/api/v1/statuses/${json.id}`)).status).toBe(404);
  });

  test("Tusky deletes with a form, toot with JSON, and others with nothing", async () => {
    const bodies: [RequestInit["body"], Record<string, string>][] = [
      [new URLSearchParams({ delete_media: "true" }), {}],
      ["{}", { "content-type": "application/json" }],
      [undefined, {}],
    ];
    for (const [body, headers] of bodies) {
      const { id } = (await anns.post("/api/v1/statuses", { status: "away" })).json;
      expect((await anns.send("DELETE", `/api/v1/statuses/${id}`, body, { headers })).status).toBe(200);
      expect((await anns.get(`/api/v1/statuses/${id}`)).status).toBe(404);
    }
  });

  test("Tusky lists posts that wait, with a warning and without", async () => {
    const scheduled_at = new Date(world.hub.clock().getTime() + 3_600_000).toISOString();
    const form = { sensitive: false, visibility: "public", scheduled_at };
    for (const spoiler_text of ["", "hush"])
      await anns.post("/api/v1/statuses", { ...form, spoiler_text, status: "later" });
    const { json } = await anns.get("/api/v1/scheduled_statuses");
    const warnings = json.map((one: unknown) => tuskyScheduled.parse(one).params.spoiler_text);
    expect(warnings).toEqual(["hush", ""]);
  });

  test("what is sent twice with one key is one post, also after a timeout", async () => {
    const headers = { "idempotency-key": "tusky-1" };
    const once = () => anns.post("/api/v1/statuses", { status: "once" }, { headers });
    const [first, second] = await Promise.all([once(), once()]);
    expect([first.status, second.status, second.json.id]).toEqual([200, 200, first.json.id]);
  });

  test("streams take a token from the query, ordinary calls do not", async () => {
    const access_token = await bearerFor(world, ann.channel);
    expect((await anyone.get("/api/v1/streaming/user", { access_token })).status).toBe(200);
    expect((await anyone.get("/api/v1/timelines/home", { access_token })).status).toBe(401);
  });
});
