import { once } from "node:events";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createGuest } from "../src/domain/connections/guests.ts";
import { removeChannel } from "../src/domain/connections/remove-channel.ts";
import { setConfig } from "../src/domain/identity/channels/channel-config.ts";
import { addXchan } from "../src/domain/identity/xchans/add-xchan.ts";
import { createGroup, deleteGroup } from "../src/domain/groups/groups.ts";
import { postItem } from "../src/domain/items/posting/post.ts";
import { setPostingLimits } from "../src/domain/items/posting-limits.ts";
import { closeComments } from "../src/domain/items/posting/close-comments.ts";
import { createWiki } from "../src/domain/pages/wiki-create.ts";
import { savePage } from "../src/domain/pages/save.ts";
import { now } from "../src/hub.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import type { Answer, Client } from "./support/client.ts";
import { password } from "./support/hub.ts";
import { bearerFor, mastodonClient, mastodonPerson } from "./support/mastodon.ts";
import { befriend, everything } from "./support/people.ts";
import { formWith, hugePng, picture } from "./support/pictures.ts";
import { visitorOf } from "./support/visitor.ts";

/** What applications may get wrong (mastodon contract 18), where no other test has it: a clear refusal, and nothing is stored. */

let world: TestApp;
let ann: Person;
let bob: Person;
let anns: Client;
let bobs: Client;
let nobody: Client;
let token: string;
/** A public post of Ann's. */
let post: string;

beforeAll(async () => {
  world = await openTestApp();
  ann = await world.person("ann");
  bob = await world.person("bob");
  await befriend(world.hub, ann.channel, bob.channel);
  token = await bearerFor(world, ann.channel, "read write follow push");
  anns = mastodonClient(world, token);
  bobs = await mastodonPerson(world, bob.channel);
  nobody = mastodonClient(world);
  post = (await anns.post("/api/v1/statuses", { status: "Tea" })).json.id;
  await world.work();
});
afterAll(() => world.close());

const form = (text: string) => ({ headers: { "content-type": "application/x-www-form-urlencoded" }, body: text });

/** It is refused with one of these, in words, and everything is as it was. */
async function refused(send: () => Promise<Answer>, ...statuses: number[]): Promise<Answer> {
  const before = await everything(world.hub);
  const answer = await send();
  expect([answer.text, statuses.includes(answer.status)]).toEqual([answer.text, true]);
  expect(typeof answer.json.error).toBe("string");
  expect(await everything(world.hub)).toEqual(before);
  return answer;
}

test.each([
  ["Bearer", "Bearer"],
  ["two spaces and a word", "Bearer  x"],
  ["spaces", "Bearer x y"],
  ["ten thousand letters", `Bearer ${"x".repeat(10_000)}`],
  ["a password", `Basic ${Buffer.from("ann:correct horse").toString("base64")}`],
  ["OAuth 1", 'OAuth oauth_token="x"'],
  ["two in one", "Bearer x, Bearer y"],
])("credentials that are none: %s", async (_name, authorization) => {
  for (const path of ["/api/v1/timelines/home", "/api/v1/accounts/verify_credentials"])
    await refused(() => nobody.get(path, {}, { headers: { authorization } }), 401);
});

test("a token in a cookie or in the query of an ordinary call is none", async () => {
  await refused(() => nobody.get("/api/v1/timelines/home", { access_token: token }), 401);
  await refused(() => nobody.get("/api/v1/timelines/home", {}, { headers: { cookie: `access_token=${token}` } }), 401);
});

test("tokens of a channel that is gone, and of an application alone", async () => {
  const gone = await world.person("gone");
  const client = await mastodonPerson(world, gone.channel);
  expect((await client.get("/api/v1/timelines/home")).status).toBe(200);
  await removeChannel(world.hub, gone.channel.channel_id);
  expect((await client.get("/api/v1/timelines/home")).status).toBe(401);
  const alone = mastodonClient(world, await bearerFor(world, undefined, "read write"));
  await refused(() => alone.get("/api/v1/timelines/home"), 422);
  await refused(() => alone.post("/api/v1/statuses", { status: "x" }), 422);
});

describe("statuses that are none", () => {
  test.each([
    ["a private one", () => bobs.post("/api/v1/statuses", { status: "just me", visibility: "direct" })],
    [
      "one that is deleted",
      async () => {
        const made = await anns.post("/api/v1/statuses", { status: "away" });
        await anns.send("DELETE", `/api/v1/statuses/${made.json.id}`);
        return made;
      },
    ],
  ])("%s", async (_name, make) => {
    const { id } = (await make()).json;
    await world.work();
    await isNone(anns, id);
  });

  test.each(["webpage", "block", "layout"] as const)("a %s", async (kind) => {
    const draft = { kind, name: kind, title: "Tea", body: "Tea", mimetype: "text/bbcode", layoutMid: "" };
    const { id } = await savePage(world.hub, ann.channel, ann.channel, draft);
    for (const client of [anns, bobs]) await isNone(client, String(id));
  });

  test("a page of a wiki, and the wiki", async () => {
    await createWiki(world.hub, ann.channel, { name: "Notes", mimetype: "text/bbcode", posted: false });
    const rows = await world.hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .select("item.id")
      .where("resource_type", "in", ["nwiki", "nwikipage"])
      .execute();
    expect(rows.length).toBeGreaterThan(1);
    for (const { id } of rows) for (const client of [anns, bobs]) await isNone(client, String(id));
  });

  test("a comment that waits, to all but who wrote it", async () => {
    const owner = await world.person("owen");
    await setConfig(world.hub, owner.channel.channel_id, "perm_limits", "post_comments", "256");
    await setConfig(world.hub, owner.channel.channel_id, "system", "moderate_comments", "1");
    const top = await postItem(world.hub, owner.channel, { body: "open house" });
    const held = await postItem(world.hub, bob.channel, { body: "let me in", parent: { id: top.id } });
    const copies = world.hub.db.selectFrom("item").select(["id", "uid"]).where("message_id", "=", held.message_id);
    const owners = await mastodonPerson(world, owner.channel);
    const ids = new Map((await copies.execute()).map(({ id, uid }) => [uid, String(id)]));
    expect([...ids.keys()]).toEqual(expect.arrayContaining([bob.channel.channel_id, owner.channel.channel_id]));
    for (const id of ids.values()) for (const client of [anns, owners]) await isNone(client, id);
    const { json } = await bobs.get(`/api/v1/statuses/${ids.get(bob.channel.channel_id)}`);
    expect(json.content).toContain("let me in");
  });

  async function isNone(client: Client, id: string): Promise<void> {
    for (const path of ["", "/context", "/reblogged_by", "/favourited_by"])
      await refused(() => client.get(`/api/v1/statuses/${id}${path}`), 404);
    for (const deed of ["favourite", "reblog", "bookmark"])
      await refused(() => client.post(`/api/v1/statuses/${id}/${deed}`), 404);
    await refused(() => client.send("DELETE", `/api/v1/statuses/${id}`), 404);
    await refused(() => client.post("/api/v1/statuses", { status: "x", in_reply_to_id: id }), 404);
  }

  test("a reaction, and the picture of a post", async () => {
    const png = await picture(8, 8).png().toBuffer();
    await bob.post("/api/z/1.0/item/update", { body: "", verb: "like", parent: post });
    await anns.send("POST", "/api/v2/media", formWith({}, [["file", png, "a.png", "image/png"]]));
    await bobs.post(`/api/v1/statuses/${post}/favourite`);
    await world.work();
    const hidden = await world.hub.db.selectFrom("item").select("id").where("item_normal", "=", 0).execute();
    const unshown = await world.hub.db.selectFrom("item").select("id").where("item_notshown", "=", 1).execute();
    expect(unshown.length).toBeGreaterThan(0);
    for (const { id } of [...hidden, ...unshown]) await refused(() => anns.get(`/api/v1/statuses/${id}`), 404);
  });
});

describe("pages", () => {
  test.each([
    ["max_id", ""],
    ["max_id", "abc"],
    ["min_id", "-5"],
    ["since_id", "9".repeat(30)],
    ["limit", "0"],
    ["limit", "-5"],
    ["limit", "x"],
    ["limit", "1000000"],
  ])("%s=%s is as good as none", async (name, value) => {
    for (const path of ["timelines/home", "timelines/public", "notifications", "bookmarks"]) {
      const [plain, odd] = [await anns.get(`/api/v1/${path}`), await anns.get(`/api/v1/${path}?${name}=${value}`)];
      expect([path, odd.status, odd.json]).toEqual([path, 200, plain.json]);
    }
  });

  test("bounds that cross each other leave nothing", async () => {
    const { status, json } = await anns.get("/api/v1/timelines/home", { min_id: post, max_id: "1" });
    expect([status, json]).toEqual([200, []]);
  });
});

describe("bodies", () => {
  const json = { "content-type": "application/json" };
  test.each<[string, RequestInit["body"], Record<string, string>]>([
    ["half an object", '{"status":', json],
    ["an array", "[1]", json],
    ["a text", '"x"', json],
    ["a thousand brackets", `{"status":${"[".repeat(1000)}${"]".repeat(1000)}}`, json],
    ["null for everything", '{"status":null,"media_ids":null,"poll":null}', json],
    ["a mark of the order of bytes", '\ufeff{"status":"x"}', json],
    ["UTF-16", Buffer.from('{"status":"x"}', "utf16le"), json],
    ["no boundary", "x", { "content-type": "multipart/form-data" }],
    [
      "an end in the middle",
      '--x\r\ncontent-disposition: form-data; name="status"\r\n\r\nhal',
      { "content-type": "multipart/form-data; boundary=x" },
    ],
    ["names that go five levels deep", "a[b][c][d][e]=1&status=x", form("").headers],
    ["two thousand names", Array.from({ length: 2000 }, (_, n) => `n${n}=1`).join("&"), form("").headers],
    ["bytes that are no text", "status=%FF%FE", form("").headers],
    ["white space", "status=%20%0A%09", form("").headers],
    ["a hundred thousand names", Array.from({ length: 100_000 }, (_, n) => `n${n}=1`).join("&"), form("").headers],
    [
      "a part without a name",
      "--x\r\ncontent-disposition: form-data\r\n\r\nhello\r\n--x--\r\n",
      { "content-type": "multipart/form-data; boundary=x" },
    ],
  ])("%s", async (_name, body, headers) => {
    await refused(() => anns.send("POST", "/api/v1/statuses", body, { headers }), 400, 413, 422);
  });

  test("of names that come twice in JSON the last counts", async () => {
    const body = '{"status":"first","status":"plain"}';
    const { status, json: made } = await anns.send("POST", "/api/v1/statuses", body, { headers: json });
    expect([status, made.content]).toEqual([200, "<p>plain</p>"]);
  });

  test("ids in JSON may be numbers", async () => {
    const sent = { status: "an answer", in_reply_to_id: Number(post) };
    const answer = await anns.post("/api/v1/statuses", sent);
    expect([answer.status, answer.json.in_reply_to_id]).toEqual([200, post]);
  });

  test("names that objects have already are names like others", async () => {
    const { status, json } = await anns.send(
      "POST",
      "/api/v1/statuses",
      "__proto__=x&constructor=y&toString=z&a[]b=1&status=plain",
      form(""),
    );
    expect([status, json.content]).toEqual([200, "<p>plain</p>"]);
  });
});

describe("texts", () => {
  test.each([
    ["a script", "<script>alert(1)</script> [b]bold"],
    ["a link that runs", "[url=javascript:alert(1)]x[/url] javascript:alert(1)"],
    ["signs that turn the text around", "a\u202Eb\u200Bc\u2066d"],
    ["ten thousand hashtags", Array.from({ length: 10_000 }, (_, n) => `#t${n}`).join(" ")],
    ["ten thousand mentions", Array.from({ length: 10_000 }, () => "@bob").join(" ")],
    ["code that breaks out", '[img]x" onerror="alert(1)[/img][code]</code><script>[/code]'],
    ["halves of signs", "a\uD800b"],
  ])("%s does no harm", async (_name, status) => {
    const answer = await anns.post("/api/v1/statuses", { status });
    expect([200, 400, 422]).toContain(answer.status);
    if (answer.status === 200) expect(answer.json.content).not.toMatch(/<script|<[^>]*onerror=|href="javascript/);
  });

  test.each<[string, string, string, RequestInit["body"], string?]>([
    ["in a query", "POST", "statuses?status=a%00b", undefined],
    ["in a form", "POST", "statuses", "status=a%00b", "application/x-www-form-urlencoded"],
    ["in a form of no type", "POST", "statuses", Buffer.from("status=a%00b"), ""],
    ["in a form by parts", "POST", "statuses", formWith({ status: "a\0b" }, [])],
    ["in JSON", "POST", "statuses", '{"status":"a\\u0000b"}'],
    ["of an option, by brackets", "POST", "statuses?status=x&poll[options][]=a%00b&poll[options][]=c", undefined],
    ["of an option, in JSON", "POST", "statuses", '{"status":"x","poll":{"options":["a\\u0000b","c"]}}'],
    ["of a field", "PATCH", "accounts/update_credentials", '{"fields_attributes":[{"name":"a\\u0000","value":"b"}]}'],
    ["of a list", "POST", "lists", '{"title":"a\\u0000b"}'],
    ["of an application", "POST", "apps", '{"client_name":"a\\u0000b","redirect_uris":"crow://x"}'],
  ])(
    "NUL is refused %s, since nothing could store it",
    async (_name, method, path, body, type = "application/json") => {
      const headers = body instanceof FormData ? {} : { "content-type": type };
      const { json } = await refused(() => anns.send(method, `/api/v1/${path}`, body, { headers }), 422);
      expect(json.error).toMatch(/^Validation failed: The parameter \S+ holds a NUL/);
    },
  );

  test("a path with NUL or another control character leads nowhere", async () => {
    for (const odd of ["%00", `${post}%00`, `%00${post}`, `${post}%01`, `${post}%1F`]) {
      await refused(() => anns.get(`/api/v1/statuses/${odd}`), 404);
      await refused(() => anns.post(`/api/v1/statuses/${odd}/favourite`), 404);
    }
    await refused(() => anns.post("/api/v1/tags/te%00a/follow"), 404);
    await refused(() => anns.get("/api/v2/notifications/ungrouped-1%00"), 404);
  });

  test("NUL does no harm where nothing is stored", async () => {
    const { status, json } = await anns.get("/api/v2/search?q=te%00a");
    expect([status, json.hashtags]).toEqual([200, []]);
  });

  test("too long, or nothing", async () => {
    await refused(() => anns.post("/api/v1/statuses", { status: "x".repeat(200_001) }), 413, 422);
    await refused(() => anns.post("/api/v1/statuses", { status: "" }), 422);
  });
});

describe("audiences", () => {
  test("a group that is deleted, or somebody else's", async () => {
    const [own, others] = [
      await createGroup(world.hub, ann.channel.channel_id, "Once"),
      await createGroup(world.hub, bob.channel.channel_id, "His"),
    ];
    await deleteGroup(world.hub, ann.channel.channel_id, own.id);
    for (const visibility of [own.id, others.id, `list:${own.id}`, "Public", "private ", "list:", "friends", "0"])
      await refused(() => anns.post("/api/v1/statuses", { status: "x", visibility: String(visibility) }), 422);
  });

  test("a direct post is for nobody who is unknown, and for oneself where nobody is named", async () => {
    for (const status of ["psst", "psst @nobodyhere", "psst @ann"]) {
      const { json } = await anns.post("/api/v1/statuses", { status, visibility: "direct" });
      await world.work();
      expect(json.visibility).toBe("direct");
      const copies = await world.hub.db
        .selectFrom("item")
        .innerJoin("message", "message.id", "item.message_id")
        .select("uid")
        .where("mid", "=", json.uri)
        .execute();
      expect(copies).toEqual([{ uid: ann.channel.channel_id }]);
    }
  });

  test("a direct post to somebody whom one blocks", async () => {
    const ivy = await world.person("ivy");
    await anns.post(`/api/v1/accounts/${ivy.channel.xchan_id}/block`);
    await refused(() => anns.post("/api/v1/statuses", { status: "psst @ivy", visibility: "direct" }), 422);
  });

  test("answers to what is closed, unknown or no status", async () => {
    const { json } = await bobs.post("/api/v1/statuses", { status: "closed" });
    await world.work();
    const mine = (await anns.get("/api/v1/timelines/home")).json.find(({ uri }: { uri: string }) => uri === json.uri);
    await closeComments(world.hub, bob.channel, { id: Number(json.id) }, true);
    await world.work();
    await refused(() => anns.post("/api/v1/statuses", { status: "x", in_reply_to_id: mine.id }), 403, 422);
    for (const in_reply_to_id of ["987654321", "abc"])
      await refused(() => anns.post("/api/v1/statuses", { status: "x", in_reply_to_id }), 404);
  });
});

describe("files", () => {
  test.each<[string, () => Promise<RequestInit["body"]> | RequestInit["body"], number[]]>([
    ["a text where a file is asked for", () => new URLSearchParams({ file: "x" }), [400, 422]],
    ["none", () => formWith({ description: "x" }, []), [400, 422]],
    ["0 bytes", () => formWith({}, [["file", Buffer.alloc(0), "a.png", "image/png"]]), [400, 422]],
    [
      "two of them",
      async () => {
        const png = await picture(4, 4).png().toBuffer();
        return formWith({}, [
          ["file", png, "a.png", "image/png"],
          ["file", png, "b.png", "image/png"],
        ]);
      },
      [422],
    ],
    [
      "one that is no picture as it says",
      () => formWith({}, [["file", Buffer.from("MZ"), "a.jpg", "image/jpeg"]]),
      [422],
    ],
  ])("%s", async (_name, body, statuses) => {
    const made = await body();
    for (const version of ["v1", "v2"]) {
      await refused(() => anns.send("POST", `/api/${version}/media`, made), ...statuses);
    }
  });

  test.each<[string, () => Promise<Buffer> | Buffer]>([
    ["a bomb", () => hugePng(50_000, 50_000)],
    ["a picture that is cut off", async () => (await picture(400, 400).png().toBuffer()).subarray(0, 60)],
  ])("%s", async (_name, make) => {
    const sent = async (name: string) => formWith({}, [[name, await make(), "a.png", "image/png"]]);
    const [file, avatar] = [await sent("file"), await sent("avatar")];
    await refused(() => anns.send("POST", "/api/v2/media", file), 422);
    await refused(() => anns.send("PATCH", "/api/v1/accounts/update_credentials", avatar), 422);
  });

  test("one that is too large", async () => {
    const small = await openTestApp({ env: { HUBBUB_MAX_UPLOAD: "1000000" } });
    const app = await mastodonPerson(small, (await small.person("ann")).channel);
    const send = (bytes: number) =>
      app.send("POST", "/api/v2/media", formWith({}, [["file", Buffer.alloc(bytes, "x"), "a.txt", "text/plain"]]));
    expect((await send(1_000_000)).status).toBe(200);
    expect(await send(1_000_001)).toMatchObject({
      status: 422,
      json: { error: "Validation failed: File is too large" },
    });
    await small.close();
  });

  test("an HTML page named as a picture, and an SVG, are never sent as what runs", async () => {
    for (const [name, type, text] of [
      ["a.png", "image/png", "<html><script>alert(1)</script></html>"],
      ["a.svg", "image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ] as const) {
      const answer = await anns.send("POST", "/api/v2/media", formWith({}, [["file", Buffer.from(text), name, type]]));
      expect(answer.status).toBeLessThan(500);
      if (answer.status >= 300) continue;
      const visitor = visitorOf(world.app);
      await visitor.logIn("ann", password);
      const file = await visitor.get(new URL(answer.json.url).pathname);
      expect(file.status).toBe(200);
      if (/html|svg|xml/.test(file.headers.get("content-type") ?? ""))
        expect(file.headers.get("content-disposition")).toContain("attachment");
    }
  });
});

describe("people", () => {
  test("what nobody has kept of unknown people", async () => {
    for (const name of ["endorsements", "identity_proofs", "collections", "in_collections"]) {
      for (const client of [anns, mastodonClient(world)]) {
        expect((await client.get(`/api/v1/accounts/${bob.channel.xchan_id}/${name}`)).status).toBe(200);
        expect((await client.get(`/api/v1/accounts/999999/${name}`)).status).toBe(404);
      }
    }
  });

  test("following oneself, unknown people and whom one blocks", async () => {
    const eve = await world.person("eve");
    await anns.post(`/api/v1/accounts/${eve.channel.xchan_id}/block`);
    const follow = (id: number | string) => () => anns.post(`/api/v1/accounts/${id}/follow`);
    await refused(follow(ann.channel.xchan_id), 403);
    await refused(follow(eve.channel.xchan_id), 403);
    await refused(follow("987654321"), 404);
    await refused(follow("abc"), 404);
    const { hash } = await createGuest(world.hub, ann.channel, { name: "Gus" });
    const guest = await world.hub.db.selectFrom("xchan").select("xchan_id").where("xchan_hash", "=", hash).execute();
    for (const { xchan_id } of guest) await refused(follow(xchan_id), 422);
    // Of somebody who has no record any more nothing is known.
    const anon = { xchan_hash: "anon-nobody", xchan_network: "anon", xchan_created: now(world.hub) };
    const { xchan_id: without } = await world.hub.db
      .insertInto("xchan")
      .values(anon)
      .returning("xchan_id")
      .executeTakeFirstOrThrow();
    await refused(follow(without), 404);
    const feed = await addXchan(world.hub, { hash: "feed", name: "News", network: "rss" });
    await refused(follow(feed.xchan_id), 422);
    const stranger = await world.person("zoe");
    const { status, json } = await anns.post(`/api/v1/accounts/${stranger.channel.xchan_id}/unfollow`);
    expect([status, json.following]).toEqual([200, false]);
  });
});

test("whoever blocks somebody is shown nothing of theirs, and who is blocked does not learn it", async () => {
  const { channel } = await world.person("ida");
  const idas = await mastodonPerson(world, channel);
  await anns.post(`/api/v1/accounts/${channel.xchan_id}/block`);
  await idas.post("/api/v1/statuses", { status: "still here" });
  await world.work();
  expect((await anns.get(`/api/v1/accounts/${channel.xchan_id}`)).status).toBe(200);
  expect((await anns.get(`/api/v1/accounts/${channel.xchan_id}/statuses`)).json).toEqual([]);
  const told = await idas.get("/api/v1/accounts/relationships", { id: [String(ann.channel.xchan_id)] });
  expect(told.json).toMatchObject([{ blocked_by: false, blocking: false }]);
});

test("what somebody says twice who does not want that, and more posts than the site takes in a day", async () => {
  const { channel } = await world.person("rex");
  const rexes = await mastodonPerson(world, channel);
  const say = (status: string) => () => rexes.post("/api/v1/statuses", { status });
  await setConfig(world.hub, channel.channel_id, "feature", "suppress_duplicates", "1");
  expect((await say("once")()).status).toBe(200);
  const { json } = await refused(say("once"), 422);
  expect(json.error).toBe("Validation failed: You have written the same just now.");
  await setPostingLimits(world.hub, { day: 2 });
  expect((await say("twice")()).status).toBe(200);
  const { headers, json: many } = await refused(say("thrice"), 429);
  expect([Number(headers.get("retry-after")) > 0, many.error]).toEqual([true, expect.stringMatching(/2/)]);
  await setPostingLimits(world.hub, { day: 0 });
});

describe("notifications and markers", () => {
  test("types that nobody knows leave nothing, and all of them left out too", async () => {
    expect((await anns.get("/api/v1/notifications", { types: ["x"] })).json).toEqual([]);
    expect((await anns.get("/api/v1/notifications?types[]=")).json).toEqual([]);
    const all = ["mention", "status", "reblog", "follow", "follow_request", "favourite", "poll", "update", "quote"];
    expect((await anns.get("/api/v1/notifications", { exclude_types: all })).json).toEqual([]);
  });

  test("a marker that is no id", async () => {
    await refused(() => anns.post("/api/v1/markers", { home: { last_read_id: "abc" } }), 422);
    expect((await anns.post("/api/v1/markers", { elsewhere: { last_read_id: "5" } })).status).toBe(200);
  });
});

describe("forms that cannot be kept", () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => `one ${n}`);
  const tea = { options: ["Tea", "Coffee"], expires_in: 600 };
  const point = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]);
  const device = {
    endpoint: "https://push.example/1",
    keys: { p256dh: point.toString("base64url"), auth: Buffer.alloc(16).toString("base64url") },
  };

  beforeAll(async () => {
    await createGroup(world.hub, ann.channel.channel_id, "Duo");
  });

  test.each<[string, string, string, Record<string, unknown>]>([
    ["an address line with a group that there is not", "POST", "statuses", { status: "!!Nowhere\nhello" }],
    ["an address line and nothing else", "POST", "statuses", { status: "!!Duo" }],
    ...["2001-01-01T00:00:00Z", "9999-01-01T00:00:00Z", "tomorrow", "2027-01-01T00:00:00"].map(
      (scheduled_at): [string, string, string, Record<string, unknown>] => [
        `waiting until ${scheduled_at}`,
        "POST",
        "statuses",
        { status: "later", scheduled_at },
      ],
    ),
    ["one option", "POST", "statuses", { status: "?", poll: { ...tea, options: ["Tea"] } }],
    ["21 options", "POST", "statuses", { status: "?", poll: { ...tea, options: many(21) } }],
    ["an empty option", "POST", "statuses", { status: "?", poll: { ...tea, options: ["Tea", ""] } }],
    ["a long option", "POST", "statuses", { status: "?", poll: { ...tea, options: ["Tea", "x".repeat(201)] } }],
    ["a poll of no time", "POST", "statuses", { status: "?", poll: { ...tea, expires_in: 0 } }],
    ["a poll of the past", "POST", "statuses", { status: "?", poll: { ...tea, expires_in: -1 } }],
    ["a poll of some time", "POST", "statuses", { status: "?", poll: { ...tea, expires_in: "a while" } }],
    [
      "a text and a warning that are too long together",
      "POST",
      "statuses",
      { status: "x".repeat(199_999), spoiler_text: "yy" },
    ],
    ["a post that goes some time", "POST", "statuses", { status: "x", expires_in: "soon" }],
    ["a quoter unheard of", "POST", "statuses", { status: "x", quote_approval_policy: "friends" }],
    ["a list without a title", "POST", "lists", { title: "" }],
    ["a long title", "POST", "lists", { title: "x".repeat(192) }],
    ["a title that is taken", "POST", "lists", { title: "Duo" }],
    ["a filter for nowhere", "POST", "v2/filters", { title: "x", keywords_attributes: [{ keyword: "x" }] }],
    ["a filter for elsewhere", "POST", "v2/filters", { title: "x", context: ["elsewhere"] }],
    ["a filter of the past", "POST", "v2/filters", { title: "x", context: ["home"], expires_in: -5 }],
    ["101 words", "POST", "v2/filters", filter(many(101))],
    ["1,001 words", "POST", "v2/filters", filter(many(1001))],
    ["a filter for nothing", "POST", "v2/filters", filter([""])],
    [
      "a device by http",
      "POST",
      "push/subscription",
      { subscription: { ...device, endpoint: "http://push.example/1" } },
    ],
    [
      "a device next door",
      "POST",
      "push/subscription",
      { subscription: { ...device, endpoint: "https://10.0.0.1/1" } },
    ],
    ["a device here", "POST", "push/subscription", { subscription: { ...device, endpoint: "https://[::1]/1" } }],
    ["a point off the curve", "POST", "push/subscription", { subscription: device }],
    [
      "a short key",
      "POST",
      "push/subscription",
      { subscription: { ...device, keys: { ...device.keys, p256dh: point.subarray(1).toString("base64url") } } },
    ],
    [
      "a device far away",
      "POST",
      "push/subscription",
      { subscription: { ...device, endpoint: `https://push.example/${"x".repeat(5120)}` } },
    ],
    ["no name", "PATCH", "accounts/update_credentials", { display_name: "" }],
    ["17 fields", "PATCH", "accounts/update_credentials", { fields_attributes: fields(17, "x") }],
    [
      "a field with a long name",
      "PATCH",
      "accounts/update_credentials",
      { fields_attributes: fields(1, "x".repeat(10_000)) },
    ],
  ])("%s", async (_, method, path, sent) => {
    const place = path.startsWith("v2/") ? `/api/${path}` : `/api/v1/${path}`;
    const headers = { "content-type": "application/json" };
    await refused(() => anns.send(method, place, JSON.stringify(sent), { headers }), 422);
  });

  function filter(words: string[]): Record<string, unknown> {
    return { title: "x", context: ["home"], keywords_attributes: words.map((keyword) => ({ keyword })) };
  }

  function fields(count: number, name: string): Record<string, unknown>[] {
    return Array.from({ length: count }, (_, n) => ({ name: `${name}${n}`, value: "y" }));
  }

  test("a text behind an address line makes it none", async () => {
    const { json } = await anns.post("/api/v1/statuses", { status: "!!Duo and others\nhello" });
    expect(json.content).toContain("and others");
  });

  test("an avatar that is text", async () => {
    const avatar = formWith({}, [["avatar", Buffer.alloc(100_000, "x"), "a.png", "image/png"]]);
    await refused(() => anns.send("PATCH", "/api/v1/accounts/update_credentials", avatar), 422);
  });

  test("HTML in a field is text", async () => {
    const sent = { fields_attributes: [{ name: "<b>x</b>", value: "<script>alert(1)</script>" }] };
    const headers = { "content-type": "application/json" };
    const answer = await anns.send("PATCH", "/api/v1/accounts/update_credentials", JSON.stringify(sent), { headers });
    expect([answer.status, JSON.stringify(answer.json.fields).includes("<script")]).toEqual([200, false]);
  });

  test("votes that count for nothing", async () => {
    const { json } = await anns.post("/api/v1/statuses", { status: "Tea?", poll: tea });
    for (const choices of [[2], [-1], [0, 1], ["x"], []])
      await refused(() => bobs.post(`/api/v1/polls/${json.id}/votes`, { choices }), 422);
    await refused(() => bobs.post(`/api/v1/polls/${post}/votes`, { choices: [0] }), 404);
    await world.work();
    const home = (await bobs.get("/api/v1/timelines/home")).json as { uri: string; poll: { id: string } }[];
    const seen = home.find(({ uri }) => uri === json.uri)!.poll.id;
    expect((await bobs.post(`/api/v1/polls/${seen}/votes`, { choices: [0] })).json.voted).toBe(true);
    await refused(() => bobs.post(`/api/v1/polls/${seen}/votes`, { choices: [1] }), 422);
    await refused(() => anns.post(`/api/v1/polls/${json.id}/votes`, { choices: [0] }), 422);
  });

  test("members of a list whom one does not know", async () => {
    const { json: list } = await anns.post("/api/v1/lists", { title: "Trio" });
    const cleo = await world.person("cleo");
    for (const account_ids of [
      ["987654321"],
      [String(cleo.channel.xchan_id)],
      [String(bob.channel.xchan_id), "987654321"],
    ])
      await refused(() => anns.post(`/api/v1/lists/${list.id}/accounts`, { account_ids }), 404);
    const twice = Array(2).fill(String(bob.channel.xchan_id));
    for (let n = 0; n < 2; n++)
      expect((await anns.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: twice })).status).toBe(200);
    expect((await anns.get(`/api/v1/lists/${list.id}/accounts`)).json).toHaveLength(1);
  });

  test("searches for signs, and for what is not to be seen", async () => {
    await refused(() => anns.get("/api/v2/search", { q: "x".repeat(501) }), 422);
    const secret = (await bobs.post("/api/v1/statuses", { status: "hush", visibility: "direct" })).json;
    for (const q of ['"""', "%", "_", "\\", "from:", secret.url, "https://elsewhere.example/@x/1"])
      expect((await anns.get("/api/v2/search", { q })).json.statuses).toEqual([]);
  });
});

test("files of a post that are others', the same twice, in use, or beside a poll", async () => {
  const upload = async (client: Client): Promise<string> => {
    const png = await picture(8, 8).png().toBuffer();
    return (await client.send("POST", "/api/v2/media", formWith({}, [["file", png, "a.png", "image/png"]]))).json.id;
  };
  const [own, his] = [await upload(anns), await upload(bobs)];
  const poll = { options: ["Tea", "Coffee"], expires_in: 600 };
  await refused(() => anns.post("/api/v1/statuses", { status: "x", media_ids: [his] }), 422);
  await refused(() => anns.post("/api/v1/statuses", { status: "x", media_ids: [own], poll }), 422);
  for (const status of ["once", "in use"]) {
    const { json } = await anns.post("/api/v1/statuses", { status, media_ids: [own, own] });
    expect(json.media_attachments.map(({ id }: { id: string }) => id)).toEqual([own]);
  }
});

test("an answer to what somebody shares is one to the original", async () => {
  const shared = (await bobs.post(`/api/v1/statuses/${post}/reblog`)).json;
  await world.work();
  const { status, json } = await bobs.post("/api/v1/statuses", {
    status: "to the original",
    in_reply_to_id: shared.id,
  });
  const original = await bobs.get(`/api/v1/statuses/${json.in_reply_to_id}`);
  expect([status, original.json.reblog, original.json.account.acct]).toEqual([200, null, "ann"]);
});

test("both markers at once, twice at the same moment", async () => {
  const set = () => anns.post("/api/v1/markers", { home: { last_read_id: "1" }, notifications: { last_read_id: "1" } });
  const kept = { home: { last_read_id: "1" }, notifications: { last_read_id: "1" } };
  for (const answer of await Promise.all([set(), set()])) expect(answer).toMatchObject({ status: 200, json: kept });
  const { json } = await anns.get("/api/v1/markers", { timeline: ["home", "notifications"] });
  expect(json).toMatchObject({ home: { version: 2 }, notifications: { version: 2 } });
});

test("a thousand members at once, of whom one is unknown", async () => {
  const { json: list } = await anns.post("/api/v1/lists", { title: "Crowd" });
  const account_ids = [...Array<string>(1000).fill(String(bob.channel.xchan_id)), "987654321"];
  await refused(() => anns.post(`/api/v1/lists/${list.id}/accounts`, { account_ids }), 404, 422);
});

test("a method that is none of the row", async () => {
  expect((await nobody.send("HEAD", "/api/v1/instance")).status).toBe(200);
  await refused(() => nobody.send("DELETE", "/api/v1/instance"), 405);
});

describe("streams", () => {
  test.each([
    ["user", 401],
    ["user/notification", 401],
    ["list", 401],
  ])("%s without a token", async (stream, status) => {
    await refused(() => nobody.get(`/api/v1/streaming/${stream}`), status);
  });

  test("a list of somebody else, no list, no hashtag", async () => {
    const his = await createGroup(world.hub, bob.channel.channel_id, "Choir");
    await refused(() => anns.get("/api/v1/streaming/list", { list: String(his.id) }), 404);
    await refused(() => anns.get("/api/v1/streaming/list"), 400);
    await refused(() => anns.get("/api/v1/streaming/hashtag"), 400);
    await refused(() => anns.get("/api/v1/streaming/nothing"), 400);
  });
});

test.each([
  ["GET", "/api/v1/instance.json", 404],
  ["GET", "/api/v1/statuses//context", 404],
  ["GET", "/api/v1/accounts/", 200],
  ["GET", "//api//v1//instance", 200],
  ["GET", "/api/v1/instance/", 200],
  ["GET", "/api/V1/instance", 404],
  ["PROPFIND", "/api/v1/instance", 405],
])("%s %s is %i", async (method, path, status) => {
  const answer = await world.app.request(`http://hub.example${path}`, { method });
  expect(answer.status).toBe(status);
});

/** As it comes over the wire: what else sends requests mends these before. A path is read as every URL is. */
test.each([
  ["TRACE /api/v1/instance", 405],
  ["get /api/v1/instance", 400],
  ["GET /api/v1/statuses/%2e%2e/instance", 200],
  ["GET /api/v1/statuses/../instance", 200],
  ["GET /api/v1/%2e%2e/%2e%2e/%2e%2e/etc/passwd", 404],
])("%s is %i", async (line, status) => {
  const server = createAdaptorServer({ fetch: world.app.fetch });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").setEncoding("latin1");
  socket.write(`${line} HTTP/1.1\r\nhost: hub.example\r\nconnection: close\r\n\r\n`);
  let said = "";
  for await (const piece of socket) said += String(piece);
  expect(said).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  server.close();
});
