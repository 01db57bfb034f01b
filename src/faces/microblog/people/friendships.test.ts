import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { childOf, childrenOf, readXml, textAt } from "../../../../test/support/microblog.ts";
import { userObject, userWithStatus } from "../../../../test/support/microblog-shapes.ts";
import { updateConnection } from "../../../domain/connections/connections.ts";
import { addXchan } from "../../../domain/identity/xchans/add-xchan.ts";
import { befriend, connectionId } from "../../../../test/support/people.ts";

/** Microblog contract 8.7 to 8.9: friends, followers, friendships, blocks. */

let world: TestApp;
let round = 0;
let ann: Person;
let bob: Person;
let cleo: Person;

beforeAll(async () => {
  world = await openTestApp();
});
afterAll(() => world.close());

beforeEach(async () => {
  round += 1;
  [ann, bob, cleo] = [
    await world.person(`ann${round}`),
    await world.person(`bob${round}`),
    await world.person(`cleo${round}`),
  ];
});

type Asked = Record<string, unknown>;

const idOf = (person: Person): number => person.channel.xchan_id;
const nicks = (users: any[]): string[] => users.map((user) => user.screen_name);
const make = (who: Person, other: Person) => who.post("/api/friendships/create", { user_id: idOf(other) });
const end = (who: Person, other: Person) => who.post("/api/friendships/destroy", { user_id: idOf(other) });
const friends = async (who: Person): Promise<number[]> => (await who.get("/api/friends/ids")).json;
const followers = async (who: Person): Promise<number[]> => (await who.get("/api/followers/ids")).json;

async function rowsOf(who: Person, other: Person) {
  return world.hub.db
    .selectFrom("abook")
    .select(["follow_out", "follow_in", "abook_pending", "abook_blocked", "abook_unconnected"])
    .where("abook_channel", "=", who.channel.channel_id)
    .where("abook_xchan", "=", other.channel.channel_hash)
    .execute();
}

describe("friendships/create", () => {
  test("asks; the other side has it in `incoming`; its answer makes both friends", async () => {
    const asked = await make(ann, bob);
    expect(userObject.parse(asked.json)).toMatchObject({
      screen_name: bob.nick,
      following: false,
      follow_request_sent: true,
    });
    expect(asked.status).toBe(200);
    expect((await ann.get("/api/friendships/outgoing")).json).toEqual([idOf(bob)]);
    expect((await bob.get("/api/friendships/incoming")).json).toEqual([idOf(ann)]);
    expect([await friends(ann), await followers(bob)]).toEqual([[], []]);
    expect((await make(ann, bob)).json.follow_request_sent).toBe(true);
    expect((await make(bob, ann)).json).toMatchObject({ following: true, follow_request_sent: false });
    expect([await friends(ann), await followers(ann)]).toEqual([[idOf(bob)], [idOf(bob)]]);
    expect((await ann.get("/api/friendships/outgoing")).json).toEqual([]);
    expect((await bob.get("/api/friendships/incoming")).json).toEqual([]);
    expect((await make(ann, bob)).json).toMatchObject({ following: true });
  });

  test.each([
    ["a nick", (): Asked => ({ screen_name: bob.nick })],
    ["an address", (): Asked => ({ screen_name: `${bob.nick}@hub.example` })],
    ["a profile", (): Asked => ({ profileurl: `http://hub.example/channel/${bob.nick}` })],
  ])("takes %s, and the path id", async (_, form) => {
    expect((await ann.post("/api/friendships/create.json", form())).json.screen_name).toBe(bob.nick);
    expect((await ann.post(`/api/friendships/create/${cleo.nick}.json`)).json.screen_name).toBe(cleo.nick);
    const put = await cleo.send("PUT", `/api/1.1/friendships/create/${idOf(bob)}`);
    expect([put.status, put.json.screen_name]).toEqual([200, bob.nick]);
  });

  test.each([
    ["nobody named", (): Asked => ({ follow: "true" }), 400, "no user_id specified"],
    ["somebody unknown", (): Asked => ({ user_id: 999_999 }), 404, "no contact found to given ID"],
    ["an unknown name", (): Asked => ({ screen_name: "nobody" }), 404, "no contact found to given ID"],
    ["oneself", (): Asked => ({ user_id: idOf(ann) }), 403, "Forbidden"],
  ])("with %s fails", async (_, form, status, error) => {
    expect(await ann.post("/api/friendships/create", form())).toMatchObject({ status, json: { error, code: status } });
  });

  test("networks that know no requests are not supported", async () => {
    const feed = await addXchan(world.hub, { hash: `feed${round}`, name: "Feed", network: "rss", address: "" });
    expect(await ann.post("/api/friendships/create", { user_id: feed.xchan_id })).toMatchObject({
      status: 417,
      json: { error: "Not supported", code: 417 },
    });
  });

  test("whom one has blocked one must not ask", async () => {
    await ann.post("/api/blocks/create", { user_id: idOf(bob) });
    expect(await make(ann, bob)).toMatchObject({ status: 403, json: { error: "Permission denied." } });
    expect((await rowsOf(ann, bob)).map((row) => row.follow_out)).toEqual(["none"]);
  });

  test("other methods are not allowed", async () => {
    expect((await ann.get("/api/friendships/create")).status).toBe(405);
    expect((await world.anonymous.post("/api/friendships/create", { user_id: 1 })).status).toBe(401);
  });
});

describe("friendships/destroy", () => {
  beforeEach(() => befriend(world.hub, ann.channel, bob.channel));

  test("stops receiving, and whoever receives the caller's stays", async () => {
    const ended = await end(ann, bob);
    expect(userObject.parse(ended.json)).toMatchObject({ screen_name: bob.nick, following: false });
    expect([await friends(ann), await followers(ann)]).toEqual([[], [idOf(bob)]]);
    expect([await friends(bob), await followers(bob)]).toEqual([[idOf(ann)], []]);
    expect((await ann.get("/api/account/verify_credentials")).json).toMatchObject({
      friends_count: 0,
      followers_count: 1,
    });
    await bob.post("/api/statuses/update", { status: "bob speaks" });
    await ann.post("/api/statuses/update", { status: "ann speaks" });
    await world.work();
    expect((await ann.get("/api/statuses/home_timeline")).text).not.toContain("bob speaks");
    expect((await bob.get("/api/statuses/home_timeline")).text).toContain("ann speaks");
  });

  test("and begins again with the next request, without asking twice", async () => {
    await end(ann, bob);
    expect((await make(ann, bob)).json.following).toBe(true);
    await bob.post("/api/statuses/update", { status: "bob speaks" });
    await world.work();
    expect((await ann.get("/api/statuses/home_timeline")).text).toContain("bob speaks");
  });

  test("where the other side does not follow either, nothing is left of it", async () => {
    await end(ann, bob);
    expect((await end(bob, ann)).status).toBe(200);
    expect([await rowsOf(ann, bob), await rowsOf(bob, ann)]).toEqual([[], []]);
    for (const who of [ann, bob]) expect([await friends(who), await followers(who)]).toEqual([[], []]);
  });

  test("withdraws a request", async () => {
    await make(ann, cleo);
    expect((await end(ann, cleo)).json).toMatchObject({ following: false, follow_request_sent: false });
    expect((await cleo.get("/api/friendships/incoming")).json).toEqual([]);
    expect([await rowsOf(ann, cleo), await rowsOf(cleo, ann)]).toEqual([[], []]);
  });

  test("of somebody whom one does not follow is 404", async () => {
    const error = "Not following Contact";
    expect(await end(ann, cleo)).toMatchObject({ status: 404, json: { error } });
    await make(cleo, ann);
    expect(await end(ann, cleo)).toMatchObject({ status: 404, json: { error } });
    await end(ann, bob);
    expect(await end(ann, bob)).toMatchObject({ status: 404, json: { error } });
    expect(await ann.post("/api/friendships/destroy")).toMatchObject({
      status: 400,
      json: { error: "no user_id specified" },
    });
    expect(await ann.post("/api/friendships/destroy", { user_id: 999_999 })).toMatchObject({
      status: 404,
      json: { error: "no contact found to given ID" },
    });
    expect((await ann.send("DELETE", `/api/friendships/destroy/${bob.nick}`)).status).toBe(404);
  });
});

describe("friends and followers", () => {
  beforeEach(async () => {
    await befriend(world.hub, ann.channel, bob.channel);
    await befriend(world.hub, ann.channel, cleo.channel);
    await end(ann, cleo);
    await bob.post("/api/statuses/update", { status: "bob speaks" });
    await world.work();
  });

  test("differ by direction, newest id first", async () => {
    expect([await friends(ann), await followers(ann)]).toEqual([[idOf(bob)], [idOf(cleo), idOf(bob)]]);
    expect(nicks((await ann.get("/api/statuses/friends")).json)).toEqual([bob.nick]);
    expect(nicks((await ann.get("/api/statuses/followers")).json)).toEqual([bob.nick, cleo.nick]);
    expect(nicks((await ann.get("/api/friends/list")).json.users)).toEqual([bob.nick]);
    expect(nicks((await ann.get("/api/followers/list")).json.users)).toEqual([cleo.nick, bob.nick]);
  });

  test("pending, blocked and archived ones are left out", async () => {
    const dora = await world.person(`dora${round}`);
    await make(ann, dora);
    await make(dora, cleo);
    const mark = async (changes: object) =>
      updateConnection(world.hub, ann.channel, await connectionId(world.hub, ann.channel, bob.channel), changes);
    for (const changes of [{ blocked: true }, { blocked: false, archived: true }]) {
      await mark(changes);
      expect([await friends(ann), await followers(ann)]).toEqual([[], [idOf(cleo)]]);
      expect((await ann.get("/api/statuses/friends")).json).toEqual([]);
      expect((await ann.get("/api/friends/list")).json).toMatchObject({ users: [], total_count: 0 });
    }
  });

  test("ids: text, XML, 1.1 and cursors", async () => {
    const own = { user_id: idOf(ann) };
    expect((await ann.get("/api/followers/ids", { stringify_ids: "true" })).json).toEqual([
      String(idOf(cleo)),
      String(idOf(bob)),
    ]);
    const whole = {
      ids: [idOf(cleo), idOf(bob)],
      next_cursor: 0,
      next_cursor_str: "0",
      previous_cursor: 0,
      previous_cursor_str: "0",
      total_count: 2,
    };
    expect((await ann.get("/api/1.1/followers/ids.json", own)).json).toEqual(whole);
    expect((await ann.get("/api/followers/ids", { cursor: -1, ...own })).json).toEqual(whole);
    expect((await ann.get("/api/followers/ids", { cursor: "undefined" })).json).toEqual(whole.ids);
    const plain = readXml(await ann.get("/api/followers/ids.xml"));
    expect([plain.name, plain.attributes]).toEqual(["ids", {}]);
    expect(childrenOf(plain, "id").map((tag) => tag.text)).toEqual(whole.ids.map(String));
    const paged = readXml(await ann.get("/api/followers/ids.xml", { cursor: "-1", count: 1 }));
    expect([paged.name, paged.attributes]).toEqual(["id_list", {}]);
    expect(paged.children.map((tag) => tag.name)).toEqual(["ids", "next_cursor", "previous_cursor", "total_count"]);
    expect(childrenOf(childOf(paged, "ids"), "id").map((tag) => tag.text)).toEqual([String(idOf(cleo))]);
    expect(textAt(paged, "next_cursor")).toBe(String(idOf(cleo)));
  });

  test("cursors go forth and back, with links", async () => {
    const first = await ann.get("/api/followers/list.json", { count: 1, cursor: -1, skip_status: "true" });
    expect(nicks(first.json.users)).toEqual([cleo.nick]);
    expect(first.json).toMatchObject({ next_cursor: idOf(cleo), previous_cursor: 0, total_count: 2 });
    expect(first.headers.get("link")).toBe(
      `<http://hub.example/api/followers/list.json?count=1&skip_status=true&cursor=${idOf(cleo)}>; rel="next"`,
    );
    const second = await ann.get("/api/followers/list", { count: 1, cursor: first.json.next_cursor_str });
    expect(nicks(second.json.users)).toEqual([bob.nick]);
    expect(second.json).toMatchObject({ next_cursor: 0, next_cursor_str: "0", previous_cursor: -idOf(bob) });
    expect(second.headers.get("link")).toContain('rel="prev"');
    const back = await ann.get("/api/followers/list", { count: 1, cursor: second.json.previous_cursor_str });
    expect(nicks(back.json.users)).toEqual([cleo.nick]);
    const past = await ann.get("/api/followers/list", { count: 1, cursor: 1 });
    expect(past.json).toMatchObject({ users: [], next_cursor: 0 });
    const xml = readXml(await ann.get("/api/followers/list.xml"));
    expect([xml.name, childrenOf(childOf(xml, "users"), "user").length]).toEqual(["users_list", 2]);
  });

  test("since_id and max_id bound the lists", async () => {
    const between = async (query: Asked) => nicks((await ann.get("/api/followers/list", query)).json.users);
    expect(await between({ since_id: idOf(bob) })).toEqual([cleo.nick]);
    expect(await between({ max_id: idOf(bob) })).toEqual([bob.nick]);
    const page = (await ann.get("/api/followers/list", { since_id: idOf(bob), count: 1 })).json;
    expect(page).toMatchObject({ next_cursor: 0, total_count: 2 });
  });

  test("users come with their status, unless it is skipped", async () => {
    for (const path of ["statuses/friends", "statuses/followers"]) {
      const { json } = await ann.get(`/api/${path}`);
      expect(userWithStatus.parse(json[0])).toMatchObject({ status: { text: "bob speaks" } });
    }
    const { json } = await ann.get("/api/friends/list");
    expect(userWithStatus.parse(json.users[0])).toMatchObject({ status: { text: "bob speaks" } });
    expect((await ann.get("/api/friends/list", { skip_status: 1 })).json.users[0].status).toBeUndefined();
    const bare = await ann.get("/api/friends/list", { include_user_entities: "false" });
    expect(bare.json.users[0]).not.toHaveProperty("entities");
  });

  test("by nickname, in pages of `count`", async () => {
    const page = async (query: Asked) => nicks((await ann.get("/api/statuses/followers.json", query)).json);
    expect(await page({ count: 1 })).toEqual([bob.nick]);
    expect(await page({ count: 1, page: 2 })).toEqual([cleo.nick]);
    expect(await page({ count: 1, page: 3 })).toEqual([]);
    const xml = readXml(await ann.get("/api/statuses/followers.xml"));
    expect([xml.name, childrenOf(xml, "user").length]).toEqual(["users", 2]);
  });

  test("of other people they are empty; of oneself by any name they are there", async () => {
    for (const named of [{ user_id: idOf(bob) }, { screen_name: bob.nick }, { user_id: 999_999 }]) {
      for (const path of ["friends/ids", "followers/ids", "statuses/friends", "statuses/followers"])
        expect([path, (await ann.get(`/api/${path}`, named)).json]).toEqual([path, []]);
      for (const path of ["friends/list", "followers/list"])
        expect((await ann.get(`/api/${path}`, named)).json).toMatchObject({
          users: [],
          next_cursor: 0,
          total_count: 0,
        });
      expect((await ann.get("/api/1.1/friends/ids", named)).json).toMatchObject({ ids: [], total_count: 0 });
    }
    const address = `http://hub.example/channel/${ann.nick}`;
    for (const named of [{ user_id: idOf(ann) }, { screen_name: ann.nick.toUpperCase() }, { user_id: address }])
      expect((await ann.get("/api/friends/ids", named)).json).toEqual([idOf(bob)]);
  });

  test("POST is as good as GET, where the contract says so", async () => {
    expect((await ann.post("/api/friends/ids", { stringify_ids: "1" })).json).toEqual([String(idOf(bob))]);
    expect((await ann.post("/api/friends/list")).status).toBe(405);
    expect((await world.anonymous.get("/api/friends/ids")).status).toBe(401);
  });
});

describe("friendships/show, lookup and exists", () => {
  beforeEach(async () => {
    await befriend(world.hub, ann.channel, bob.channel);
    await make(ann, cleo);
  });

  const show = async (who: Person, query: Asked) => (await who.get("/api/friendships/show", query)).json.relationship;

  test("the relation is seen from the source, and mirrored in the target", async () => {
    const mutual = await show(ann, { target_id: idOf(bob) });
    expect(mutual).toEqual({
      source: {
        id: idOf(ann),
        id_str: String(idOf(ann)),
        screen_name: ann.nick,
        following: true,
        followed_by: true,
        following_received: false,
        following_requested: false,
        can_dm: true,
        blocking: false,
        blocked_by: null,
        muting: false,
        want_retweets: true,
        all_replies: true,
        marked_spam: false,
        notifications_enabled: false,
        live_following: false,
      },
      target: {
        id: idOf(bob),
        id_str: String(idOf(bob)),
        screen_name: bob.nick,
        following: true,
        followed_by: true,
        following_received: false,
        following_requested: false,
      },
    });
    const asked = await show(ann, { target_screen_name: cleo.nick });
    expect(asked.source).toMatchObject({ following: false, following_requested: true, can_dm: false });
    expect(asked.target).toMatchObject({ following_received: true, following_requested: false });
    await end(ann, bob);
    const one = await show(ann, { source_screen_name: bob.nick, target_id: idOf(ann) });
    expect(one.source).toMatchObject({ screen_name: bob.nick, following: true, followed_by: false, blocking: null });
    expect(one.target).toMatchObject({ following: false, followed_by: true });
  });

  test("of others nothing is known; whoever is blocked does not learn it", async () => {
    const others = await show(cleo, { source_id: idOf(ann), target_id: idOf(bob) });
    expect(others.source).toMatchObject({ following: false, followed_by: false, following_requested: null });
    await ann.post("/api/blocks/create", { user_id: idOf(bob) });
    expect((await show(ann, { target_id: idOf(bob) })).source).toMatchObject({ blocking: true, following: false });
    expect((await show(bob, { target_id: idOf(ann) })).source).toMatchObject({ blocked_by: null, following: true });
  });

  test("says which side is unknown", async () => {
    const failure = async (query: Asked) => ann.get("/api/friendships/show", query);
    expect(await failure({ target_id: 999_999 })).toMatchObject({ status: 404, json: { error: "Target not found" } });
    expect(await failure({})).toMatchObject({ status: 404, json: { error: "Target not found" } });
    expect(await failure({ source_screen_name: "nobody", target_id: idOf(bob) })).toMatchObject({
      status: 404,
      json: { error: "Source not found" },
    });
    const xml = readXml(await ann.get("/api/friendships/show.xml", { target_id: idOf(bob) }));
    expect([xml.name, textAt(xml, "target", "screen_name")]).toEqual(["relationship", bob.nick]);
  });

  test("lookup tells about several people", async () => {
    const dora = await world.person(`dora${round}`);
    await ann.post("/api/blocks/create", { user_id: idOf(dora) });
    const ids = [idOf(cleo), idOf(bob), 999_999, idOf(ann), idOf(dora)].join(",");
    const { json } = await ann.get("/api/friendships/lookup", { id: ids });
    expect(json.map((one: any) => [one.screen_name, one.connections])).toEqual([
      [cleo.nick, ["following_requested"]],
      [bob.nick, ["following", "followed_by"]],
      [ann.nick, ["none"]],
      [dora.nick, ["blocking"]],
    ]);
    expect(Object.keys(json[0]).toSorted()).toEqual(["connections", "id", "id_str", "name", "screen_name"]);
    expect((await ann.post("/api/friendships/lookup", { screen_name: bob.nick })).json).toHaveLength(1);
    expect((await ann.get("/api/friendships/lookup", { user_id: "999999" })).json).toEqual([]);
  });

  test("exists answers yes or no, also in XML", async () => {
    const exists = async (who: Person, a: unknown, b: unknown) =>
      (await who.get("/api/friendships/exists", { user_a: a, user_b: b })).json;
    expect(await exists(ann, idOf(ann), bob.nick)).toBe(true);
    expect(await exists(ann, bob.nick, ann.nick)).toBe(true);
    expect(await exists(ann, idOf(ann), idOf(cleo))).toBe(false);
    expect(await exists(cleo, idOf(ann), idOf(bob))).toBe(false);
    const xml = await ann.get("/api/friendships/exists.xml", { user_a: ann.nick, user_b: bob.nick });
    expect(xml.text).toContain("<friends>true</friends>");
    expect((await ann.get("/api/friendships/exists", { user_a: ann.nick })).status).toBe(400);
    expect((await ann.get("/api/friendships/exists", { user_a: ann.nick, user_b: "nobody" })).status).toBe(404);
  });
});

describe("blocks", () => {
  const block = (who: Person, other: Person) => who.post("/api/blocks/create", { user_id: idOf(other) });
  const unblock = (who: Person, other: Person) => who.post("/api/blocks/destroy", { screen_name: other.nick });

  test("of a stranger are no connection, and leave nothing behind", async () => {
    const blocked = await block(ann, bob);
    expect(userObject.parse(blocked.json)).toMatchObject({ statusnet_blocking: true, following: false, cid: 0 });
    expect((await block(ann, bob)).json.statusnet_blocking).toBe(true);
    expect(await rowsOf(ann, bob)).toEqual([
      { follow_out: "none", follow_in: "none", abook_pending: 0, abook_blocked: 1, abook_unconnected: 1 },
    ]);
    expect((await ann.get("/api/blocks/ids")).json).toEqual([idOf(bob)]);
    expect([await friends(ann), await followers(ann)]).toEqual([[], []]);
    expect((await unblock(ann, bob)).json.statusnet_blocking).toBe(false);
    expect(await rowsOf(ann, bob)).toEqual([]);
    expect((await unblock(ann, bob)).status).toBe(200);
  });

  test("keep requests out, and the other side learns nothing", async () => {
    await block(ann, bob);
    expect((await make(bob, ann)).json).toMatchObject({ follow_request_sent: true });
    expect((await ann.get("/api/friendships/incoming")).json).toEqual([]);
    await unblock(ann, bob);
    expect(await rowsOf(ann, bob)).toEqual([]);
  });

  test("of a friend end with everything as it was", async () => {
    await befriend(world.hub, ann.channel, bob.channel);
    await bob.post("/api/statuses/update", { status: "before" });
    await world.work();
    const before = await rowsOf(ann, bob);
    await block(ann, bob);
    expect(await friends(ann)).toEqual([]);
    expect((await ann.get("/api/statuses/home_timeline")).text).not.toContain("before");
    expect((await unblock(ann, bob)).json).toMatchObject({ statusnet_blocking: false, following: true });
    expect(await rowsOf(ann, bob)).toEqual(before);
    expect(await friends(ann)).toEqual([idOf(bob)]);
    expect((await ann.get("/api/statuses/home_timeline")).text).toContain("before");
  });

  test("are listed, in pages, with cursors and in XML", async () => {
    await block(ann, bob);
    await block(ann, cleo);
    expect(nicks((await ann.get("/api/blocks/list")).json)).toEqual([cleo.nick, bob.nick]);
    expect(nicks((await ann.get("/api/blocks/list", { count: 1, page: 2 })).json)).toEqual([bob.nick]);
    const paged = (await ann.get("/api/blocks/list", { cursor: -1, count: 1 })).json;
    expect([nicks(paged.users), paged.next_cursor, paged.total_count]).toEqual([[cleo.nick], idOf(cleo), 2]);
    expect(nicks((await ann.get("/api/1.1/blocks/list")).json.users)).toEqual([cleo.nick, bob.nick]);
    expect((await ann.get("/api/1.1/blocks/ids")).json).toMatchObject({ ids: [idOf(cleo), idOf(bob)], next_cursor: 0 });
    expect((await ann.get("/api/blocks/ids", { stringify_ids: "t" })).json).toEqual([
      String(idOf(cleo)),
      String(idOf(bob)),
    ]);
    expect(readXml(await ann.get("/api/blocks/list.xml")).name).toBe("users");
    expect(readXml(await ann.get("/api/1.1/blocks/list.xml")).name).toBe("users_list");
    expect((await bob.get("/api/blocks/list")).json).toEqual([]);
    expect((await bob.get("/api/1.1/blocks/list")).json).toMatchObject({ users: [], next_cursor: 0, total_count: 0 });
  });

  test("fail where nobody is to be blocked", async () => {
    for (const path of ["blocks/create", "blocks/destroy"]) {
      expect((await ann.post(`/api/${path}`, { user_id: 999_999 })).status).toBe(404);
      expect((await ann.post(`/api/${path}`)).status).toBe(400);
    }
    expect(await block(ann, ann)).toMatchObject({ status: 403, json: { error: "Forbidden" } });
    expect((await ann.send("PUT", `/api/blocks/create?user_id=${idOf(bob)}`)).status).toBe(200);
    expect((await ann.send("DELETE", `/api/blocks/destroy?user_id=${idOf(bob)}`)).status).toBe(200);
    expect((await ann.send("PUT", "/api/blocks/destroy")).status).toBe(405);
  });
});
