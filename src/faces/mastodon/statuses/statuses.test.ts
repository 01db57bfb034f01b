import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { TestApp } from "../../../../test/support/app.ts";
import type { Client } from "../../../../test/support/client.ts";
import { mastodonClient, mastodonPeople } from "../../../../test/support/mastodon.ts";
import type { MastodonPerson } from "../../../../test/support/mastodon.ts";
import { befriend } from "../../../../test/support/people.ts";
import { formWith, picture } from "../../../../test/support/pictures.ts";
import { addMembers, createGroup } from "../../../domain/groups/groups.ts";
import { postItem } from "../../../domain/items/posting/post.ts";

/** Posts as applications read, write and share them (mastodon contract 5, 6, 7, 13.3). */

let world: TestApp;
let ann: MastodonPerson;
let bob: MastodonPerson;
/** Connected with nobody. */
let dora: MastodonPerson;
let nobody: Client;
let choir: number;

beforeAll(async () => {
  world = await openTestApp();
  const cara = await world.person("cara");
  [ann, bob, dora] = await mastodonPeople(world, "ann", "bob", "dora");
  nobody = mastodonClient(world);
  await befriend(world.hub, ann.channel, bob.channel);
  await befriend(world.hub, ann.channel, cara.channel);
  choir = (await createGroup(world.hub, ann.channel.channel_id, "Choir")).id;
  await addMembers(world.hub, ann.channel.channel_id, choir, [bob.channel.channel_hash]);
  await world.work();
});
afterAll(() => world.close());

async function post(client: Client, form: object, headers = {}) {
  const answer = await client.post("/api/v1/statuses", form as Record<string, unknown>, { headers });
  await world.work();
  return answer;
}

const home = async (client: Client, query = {}) => (await client.get("/api/v1/timelines/home", query)).json;
const sees = async (client: Client, { uri }: { uri: string }): Promise<boolean> =>
  (await home(client)).some((status: { uri: string }) => status.uri === uri);

test("a post is answered, stands in home, in public and on its author's page", async () => {
  const { status, json } = await post(ann, {
    status: "Tea @bob #tea https://example.org/a",
    spoiler_text: "hot",
    visibility: "public",
  });
  expect([status, json.visibility, json.spoiler_text, json.sensitive, json.account.acct]).toEqual([
    200,
    "public",
    "hot",
    true,
    "ann",
  ]);
  expect(json.content).toContain(
    '<a href="http://hub.example/channel/bob" class="u-url mention">@<span>bob</span></a>',
  );
  expect(json.content).toContain('class="mention hashtag" rel="tag">#<span>tea</span></a>');
  expect([json.tags[0].name, json.mentions[0].username, json.application.name]).toEqual(["tea", "bob", "Crow"]);
  expect(await sees(bob, json)).toBe(true);
  const [shown] = (await nobody.get("/api/v1/timelines/public")).json;
  expect([shown.uri, "favourited" in shown]).toEqual([json.uri, false]);
  expect((await nobody.get(`/api/v1/accounts/${json.account.id}/statuses`)).json[0].uri).toBe(json.uri);
  expect((await dora.get("/api/v1/timelines/public", { local: "true" })).json[0].uri).toBe(json.uri);
});

describe("nothing is wider than asked", () => {
  const all = { ann: true, bob: true, dora: true, nobody: true };
  const audiences: [name: string, form: () => object, visibility: string, seen: Record<string, boolean>][] = [
    ["public", () => ({ visibility: "public" }), "public", all],
    ["unlisted", () => ({ visibility: "unlisted" }), "unlisted", all],
    ["private", () => ({ visibility: "private" }), "private", { ann: true, bob: true, dora: false, nobody: false }],
    [
      "direct",
      () => ({ visibility: "direct", status: "psst @bob" }),
      "direct",
      { ann: true, bob: true, dora: false, nobody: false },
    ],
    [
      "direct to nobody",
      () => ({ visibility: "direct" }),
      "direct",
      { ann: true, bob: false, dora: false, nobody: false },
    ],
    [
      "its author alone",
      () => ({ contact_allow: [String(ann.channel.xchan_id)] }),
      "direct",
      { ann: true, bob: false, dora: false, nobody: false },
    ],
    ["a group", () => ({ visibility: String(choir) }), "private", { ann: true, bob: true, dora: false, nobody: false }],
    [
      "a group by its word",
      () => ({ visibility: `list:${choir}` }),
      "private",
      { ann: true, bob: true, dora: false, nobody: false },
    ],
    ["local", () => ({ visibility: "local" }), "private", { ann: true, bob: true, dora: true, nobody: false }],
    [
      "local_only",
      () => ({ visibility: "public", local_only: true }),
      "private",
      { ann: true, bob: true, dora: true, nobody: false },
    ],
  ];

  test.each(audiences)("%s", async (name, form, visibility, seen) => {
    const { status, json } = await post(ann, { status: `for ${name}`, ...form() });
    expect([status, json.visibility]).toEqual([200, visibility]);
    const clients = { ann, bob, dora, nobody };
    const found = await Promise.all(
      Object.entries(clients).map(async ([who, client]) => [
        who,
        (await client.get(`/api/v1/statuses/${json.id}`)).status === 200,
      ]),
    );
    expect(Object.fromEntries(found)).toEqual(seen);
    const listed = (await nobody.get("/api/v1/timelines/public", { limit: 40 })).json.some(
      (one: { uri: string }) => one.uri === json.uri,
    );
    expect(listed).toBe(visibility === "public");
  });

  test.each(["Public", "friends", "0", "list:", "private ", "mutuals_only", "999999", "list:999999"])(
    "not %s",
    async (visibility) => {
      const before = (await home(ann)).length;
      const answer = await post(ann, { status: "x", visibility });
      expect([answer.status, answer.json.error]).toEqual([422, expect.stringMatching(/^Validation failed: /)]);
      expect((await home(ann)).length).toBe(before);
    },
  );

  test("a group of somebody else is none", async () => {
    expect((await post(bob, { status: "x", visibility: String(choir) })).status).toBe(422);
  });

  test("an answer has the audience of its thread, or none", async () => {
    const open = (await post(ann, { status: "open", visibility: "public" })).json;
    const closed = (await post(ann, { status: "closed", visibility: String(choir) })).json;
    const answer = async (to: { id: string }, visibility: string | undefined) =>
      post(ann, { status: `re ${visibility}`, in_reply_to_id: to.id, visibility });
    expect((await answer(open, undefined)).json).toMatchObject({ visibility: "public", in_reply_to_id: open.id });
    expect((await answer(open, "unlisted")).json.visibility).toBe("unlisted");
    expect((await answer(closed, "public")).json.visibility).toBe("private");
    for (const [to, visibility] of [
      [open, "private"],
      [open, String(choir)],
      [open, "local"],
      [closed, "999"],
    ] as const)
      expect((await answer(to, visibility)).status).toBe(422);
    const apart = (await post(bob, { status: "just us", in_reply_to_id: open.id, visibility: "direct" })).json;
    expect([apart.visibility, apart.in_reply_to_id]).toEqual(["direct", null]);
    expect([
      (await ann.get(`/api/v1/statuses/${apart.id}`)).status,
      (await dora.get(`/api/v1/statuses/${apart.id}`)).status,
    ]).toEqual([200, 404]);
  });
});

test("what a text says to members alone is found by no hashtag and names nobody", async () => {
  const body = "Party #opentag [observer=1]#doorcode for @bob[/observer]";
  const { id } = await postItem(world.hub, ann.channel, { body });
  const { json } = await nobody.get(`/api/v1/statuses/${id}`);
  expect([json.tags.map(({ name }: { name: string }) => name), json.mentions]).toEqual([["opentag"], []]);
  const found = async (tag: string) => (await nobody.get(`/api/v1/timelines/tag/${tag}`)).json.length;
  expect([await found("opentag"), await found("doorcode")]).toEqual([1, 0]);
});

test("a thread is a tree, and a copy that was named keeps its id", async () => {
  const top = (await post(ann, { status: "top" })).json;
  const one = (await post(bob, { status: "one", in_reply_to_id: top.id })).json;
  const two = (await post(ann, { status: "two", in_reply_to_id: one.id })).json;
  const three = (await post(bob, { status: "three", in_reply_to_id: top.id })).json;
  const { ancestors, descendants } = (await ann.get(`/api/v1/statuses/${two.id}/context`)).json;
  expect([ancestors.map((status: { uri: string }) => status.uri), descendants]).toEqual([[top.uri, one.uri], []]);
  const below = (await ann.get(`/api/v1/statuses/${top.id}/context`)).json.descendants;
  expect(below.map((status: { uri: string }) => status.uri)).toEqual([one.uri, two.uri, three.uri]);
  expect(below[1].in_reply_to_id).toBe(below[0].id);
  expect((await bob.get(`/api/v1/statuses/${top.id}`)).json.id).toBe(top.id);
  expect((await bob.post(`/api/v1/statuses/${top.id}/favourite`)).json).toMatchObject({
    id: top.id,
    favourited: true,
    favourites_count: 1,
  });
});

test("likes, stars and shares come and go, and repeating them is harmless", async () => {
  const { id, uri } = (await post(ann, { status: "like me" })).json;
  const deed = async (name: string) => (await bob.post(`/api/v1/statuses/${id}/${name}`)).json;
  for (const again of [1, 2]) expect([again, (await deed("favourite")).favourites_count]).toEqual([again, 1]);
  expect((await deed("unfavourite")).favourited).toBe(false);
  expect((await deed("bookmark")).bookmarked).toBe(true);
  expect((await bob.get("/api/v1/bookmarks")).json[0].uri).toBe(uri);
  expect((await deed("unbookmark")).bookmarked).toBe(false);
  const share = await deed("reblog");
  expect([share.reblog.uri, share.reblog.reblogged, share.account.username, share.reblog.account.username]).toEqual([
    uri,
    true,
    "bob",
    "ann",
  ]);
  expect((await deed("reblog")).id).toBe(share.id);
  expect((await deed("unreblog")).reblogged).toBe(false);
  expect((await deed("unreblog")).uri).toBe(uri);
});

test("a key makes a request that is sent again have no second effect", async () => {
  const send = (text: string, key: string, client = ann) => post(client, { status: text }, { "idempotency-key": key });
  const [first, second] = await Promise.all([send("once", "k1"), send("once", "k1")]);
  expect([second.status, second.json.id]).toEqual([200, first.json.id]);
  expect((await send("other text", "k1")).json.id).toBe(first.json.id);
  expect((await send("once", "k1", bob)).json.id).not.toBe(first.json.id);
  expect((await send("", "k2")).status).toBe(422);
  expect((await send("now", "k2")).status).toBe(200);
  expect((await send("x", "k".repeat(256))).status).toBe(422);
  world.hub.advance(3590);
  expect((await send("within the hour", "k1")).json.id).toBe(first.json.id);
  world.hub.advance(20);
  expect((await send("an hour later", "k1")).json.content).toContain("an hour later");
});

test("a picture is stored, described, attached, and seen by those for whom the post is", async () => {
  const png = await picture(60, 40).png().toBuffer();
  const upload = await ann.send(
    "POST",
    "/api/v2/media",
    formWith({ description: "A boat" }, [["file", png, "a.png", "image/png"]]),
  );
  expect([upload.status, upload.json.type, upload.json.meta.original.size, upload.json.description]).toEqual([
    200,
    "image",
    "60x40",
    "A boat",
  ]);
  const { json } = await post(ann, { media_ids: [upload.json.id], visibility: "public" });
  expect(json.media_attachments).toMatchObject([{ id: upload.json.id, type: "image", description: "A boat" }]);
  expect(json.content).toBe("");
  for (const media_ids of [["999999"], Array.from({ length: 33 }, (_, n) => String(n + 1))])
    expect((await post(ann, { status: "x", media_ids })).status).toBe(422);
  expect((await post(bob, { status: "x", media_ids: [upload.json.id] })).json.error).toBe(
    "Validation failed: Media not found",
  );
});

test("a post is deleted by its author, with what was typed, and by nobody else", async () => {
  const { id } = (await post(ann, { status: "typed [b]so[/b]" })).json;
  expect((await bob.send("DELETE", `/api/v1/statuses/${id}`)).status).toBe(404);
  expect((await ann.send("DELETE", `/api/v1/statuses/${id}`)).json.text).toBe("typed [b]so[/b]");
  expect((await ann.get(`/api/v1/statuses/${id}`)).status).toBe(404);
});

test("pages go down by Link, and up from an id without a gap", async () => {
  for (let n = 0; n < 5; n++) await post(ann, { status: `page ${n}` });
  const whole = (await home(ann)).map((status: { id: string }) => status.id);
  const first = await ann.get("/api/v1/timelines/home", { limit: 2 });
  const [next, prev] = first.headers.get("link")!.split(", ");
  expect([next, prev]).toEqual([
    `<http://hub.example/api/v1/timelines/home?limit=2&max_id=${whole[1]}>; rel="next"`,
    `<http://hub.example/api/v1/timelines/home?limit=2&min_id=${whole[0]}>; rel="prev"`,
  ]);
  const second = await home(ann, { limit: 2, max_id: whole[1] });
  expect(second.map((status: { id: string }) => status.id)).toEqual(whole.slice(2, 4));
  const up = await home(ann, { limit: 2, min_id: whole[4] });
  expect(up.map((status: { id: string }) => status.id)).toEqual(whole.slice(2, 4));
  expect((await home(ann, { since_id: whole[2] })).map((status: { id: string }) => status.id)).toEqual(
    whole.slice(0, 2),
  );
  const author = String(ann.channel.xchan_id);
  const own = (await bob.get(`/api/v1/accounts/${author}/statuses`)).json.map((status: { id: string }) => status.id);
  const above = (await bob.get(`/api/v1/accounts/${author}/statuses`, { min_id: own[3], limit: 2 })).json;
  expect(above.map((status: { id: string }) => status.id)).toEqual(own.slice(1, 3));
  expect((await ann.get(`/api/v1/timelines/list/${choir}`, { min_id: "0" })).status).toBe(200);
  for (const bound of ["", "abc", "-1", "9".repeat(30)])
    expect((await home(ann, { max_id: bound })).length).toBe(whole.length);
});

test.each(["0", "-1", "1e5", "00012", "9999999999999999999", "99999999999999999999", "x"])(
  "%s is the id of nothing",
  async (id) => {
    expect(await ann.get(`/api/v1/statuses/${id}`)).toMatchObject({ status: 404, json: { error: "Record not found" } });
  },
);

test("the caller's groups and people are listed, and those of nobody else", async () => {
  expect((await ann.get("/api/v1/lists")).json).toContainEqual(
    expect.objectContaining({ id: String(choir), title: "Choir" }),
  );
  expect((await ann.get(`/api/v1/lists/${choir}`)).json.title).toBe("Choir");
  expect((await bob.get(`/api/v1/lists/${choir}`)).status).toBe(404);
  const account = String(ann.channel.xchan_id);
  expect((await dora.post(`/api/v1/accounts/${account}/block`)).json.blocking).toBe(true);
  const blocks = await dora.get("/api/v1/blocks");
  expect([blocks.json.map((one: { id: string }) => one.id), blocks.headers.has("link")]).toEqual([[account], true]);
  expect((await dora.post(`/api/v1/accounts/${account}/unblock`)).json.blocking).toBe(false);
  expect((await dora.get("/api/v1/blocks")).json).toEqual([]);
  for (const path of ["/api/v1/mutes", "/api/v1/follow_requests", "/api/v2/filters", "/api/v1/filters"])
    expect((await dora.get(path)).json).toEqual([]);
});
