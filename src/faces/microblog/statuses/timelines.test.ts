import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { befriend } from "../../../../test/support/people.ts";
import { findConnectionTo, updateConnection } from "../../../domain/connections/connections.ts";

/** Microblog contract 8.2, 3.3 and 3.5. */

let world: TestApp;
let ann: Person;
let bob: Person;
let cara: Person;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob, cara] = [await world.person("ann"), await world.person("bob"), await world.person("cara")];
  await befriend(world.hub, ann.channel, bob.channel);
  for (let n = 1; n <= 25; n++) {
    const author = n % 2 ? ann : bob;
    const { json } = await author.post("/api/statuses/update", { status: `post ${n}` });
    if (n % 5 === 0)
      await author.post("/api/statuses/update", { status: `answer ${n}`, in_reply_to_status_id: json.id });
    await world.work();
  }
});
afterAll(() => world.close());

const texts = async (person: Person, path: string, query: Record<string, unknown> = {}): Promise<string[]> => {
  const { status, json } = await person.get(`/api/statuses/${path}`, query);
  expect(status).toBe(200);
  return json.map((status: any) => status.text);
};
const ids = async (query: Record<string, unknown>, path = "home_timeline"): Promise<number[]> =>
  (await ann.get(`/api/statuses/${path}`, query)).json.map((status: any) => status.id);

describe("paging", () => {
  test.each(["home_timeline", "user_timeline/bob", "public_timeline"])(
    "%s pages without gaps and doubles by page, max_id and since_id (traps 35, 36)",
    async (path) => {
      const all = await ids({ count: 200 }, path);
      expect(all).toEqual(all.toSorted((one, other) => other - one));
      const byPage: number[] = [];
      for (let page = 1; page <= 8; page++) byPage.push(...(await ids({ count: 7, page }, path)));
      expect(byPage).toEqual(all);
      const byMaxId: number[] = [];
      for (let max_id: number | undefined; ;) {
        const found = await ids({ count: 7, max_id }, path);
        byMaxId.push(...found);
        if (found.length === 0) break;
        max_id = found.at(-1)! - 1;
        if (max_id === 0) break;
      }
      expect(byMaxId).toEqual(all);
      expect(await ids({ count: 200, max_id: all[3] }, path)).toEqual(all.slice(3));
      expect(await ids({ count: 200, since_id: all[3] }, path)).toEqual(all.slice(0, 3));
    },
  );

  test("trap 34: counts are lowered silently, and nonsense is the default", async () => {
    const everything = (await ids({ count: 200 })).length;
    for (const count of ["999", "400", "99999999999999999999"]) expect((await ids({ count })).length).toBe(everything);
    for (const count of ["0", "-3", "many", "", undefined]) expect((await ids({ count })).length).toBe(20);
    for (const page of ["0", "-1", "x"]) expect(await ids({ page })).toEqual(await ids({}));
    expect(await ids({ since_id: "x", max_id: "y" })).toEqual(await ids({}));
  });

  test("trap 37: a since_id above every id, and a page past the end, are empty", async () => {
    for (const query of [{ since_id: 9e15 }, { since_id: "9".repeat(40) }, { page: 1000 }, { page: 9e15 }]) {
      expect(await ids(query)).toEqual([]);
    }
    expect(await ids({ max_id: "9".repeat(40) })).toEqual(await ids({}));
  });
});

describe("narrowing", () => {
  test("traps 33, 56: exclude_replies is a boolean, and own posts and replies are in the stream", async () => {
    const all = await texts(ann, "home_timeline", { count: 200, exclude_replies: "false", include_rts: "true" });
    expect(all).toContain("answer 5");
    expect(all).toContain("post 1");
    const tops = await texts(ann, "home_timeline", { count: 200, exclude_replies: "true" });
    expect(tops.filter((text) => text.startsWith("answer"))).toEqual([]);
  });

  test("one conversation, by the id of any copy of its top", async () => {
    const own = (await ann.get("/api/statuses/home_timeline", { exclude_replies: "1" })).json.find(
      (status: any) => status.text === "post 10",
    );
    const bobs = (await bob.get("/api/statuses/user_timeline", { count: 100 })).json.find(
      (status: any) => status.text === "post 10",
    );
    expect(own.id).not.toBe(bobs.id);
    for (const conversation_id of [own.id, bobs.id]) {
      for (const path of ["home_timeline", "public_timeline", "user_timeline/bob"]) {
        expect([path, await texts(ann, path, { conversation_id })]).toEqual([path, ["answer 10", "post 10"]]);
      }
    }
    for (const conversation_id of ["0", "x", 999_999])
      expect(await texts(ann, "home_timeline", { conversation_id })).toEqual([]);
  });

  test("one connection", async () => {
    const { abook_id } = (await findConnectionTo(world.hub, ann.channel.channel_id, bob.channel.channel_hash))!;
    const authors = (await ann.get("/api/statuses/home_timeline", { contact_id: abook_id })).json.map(
      (status: any) => status.user.screen_name,
    );
    expect(new Set(authors)).toEqual(new Set(["bob"]));
    for (const contact_id of ["0", "x", 999_999]) expect(await texts(ann, "home_timeline", { contact_id })).toEqual([]);
  });

  test("a person does not matter to home_timeline, public_timeline and mentions", async () => {
    for (const path of ["home_timeline", "public_timeline", "mentions"]) {
      expect(await texts(ann, path, { user_id: 999, screen_name: "nobody" })).toEqual(await texts(ann, path));
    }
  });
});

describe("user_timeline", () => {
  const namings: [string, () => Record<string, unknown>][] = [
    ["user_id", () => ({ user_id: bob.channel.xchan_id })],
    ["screen_name", () => ({ screen_name: "bob" })],
    ["full address", () => ({ screen_name: "bob@hub.example" })],
    ["profileurl", () => ({ profileurl: "http://hub.example/channel/bob" })],
    ["profileurl written differently", () => ({ profileurl: "https://www.hub.example/channel/bob/" })],
    ["profile URL as user_id", () => ({ user_id: "http://hub.example/channel/bob" })],
    ["user_id before screen_name", () => ({ user_id: bob.channel.xchan_id, screen_name: "ann" })],
  ];

  test.each(namings)("by %s", async (_name, query) => {
    const all = await texts(ann, "user_timeline", { count: 200, ...query() });
    expect([all.length, all[0]]).toEqual([14, "post 24"]);
  });

  test("by the path, as name or number, with or without a format", async () => {
    for (const id of ["bob", bob.channel.xchan_id, "bob.json", "bob@hub.example"]) {
      expect((await texts(ann, `user_timeline/${id}`))[0]).toBe("post 24");
    }
    expect((await texts(ann, "user_timeline"))[0]).toBe("answer 25");
  });

  test("of nobody", async () => {
    const cases: [Record<string, unknown>, string][] = [
      [{ user_id: 4711 }, "User ID 4711 not found."],
      [{ user_id: "9".repeat(30) }, `User ID ${"9".repeat(30)} not found.`],
      [{ screen_name: "nobody" }, "User not found."],
      [{ profileurl: "https://example.org/nobody" }, "User https://example.org/nobody not found."],
      [{ user_id: "https://example.org/nobody" }, "User https://example.org/nobody not found."],
    ];
    for (const [query, error] of cases) {
      const { status, json } = await ann.get("/api/statuses/user_timeline", query);
      expect([status, json.error]).toEqual([404, error]);
    }
  });

  test("trap 44: a dot in a name does not cut it, and `.xml` in a value does not make XML", async () => {
    const { status, json } = await ann.get("/api/statuses/user_timeline/no.body");
    expect([status, json.error]).toEqual([404, "User not found."]);
    const answer = await ann.get("/api/statuses/home_timeline", { file: "picture.xml" });
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  });
});

test("mentions are what others wrote that names or answers the caller", async () => {
  const { json } = await ann.post("/api/statuses/update", { status: "a question" });
  await world.work();
  const [seen] = (await bob.get("/api/statuses/home_timeline")).json;
  await bob.post("/api/statuses/update", { status: "an answer", in_reply_to_status_id: seen.id });
  await world.work();
  await bob.post("/api/statuses/update", { status: "hello @ann" });
  await bob.post("/api/statuses/update", { status: "nothing" });
  await ann.post("/api/statuses/update", { status: "own answer", in_reply_to_status_id: json.id });
  await world.work();
  for (const path of ["mentions", "replies", "mentions_timeline"])
    expect(await texts(ann, path)).toEqual(["hello @ann", "an answer"]);
});

test("what was answered becomes seen, and only that", async () => {
  const dan = await world.person("dan");
  await befriend(world.hub, dan.channel, bob.channel);
  for (const n of [1, 2, 3]) {
    await bob.post("/api/statuses/update", { status: `unseen ${n}` });
    await world.work();
  }
  const unseen = async () =>
    (await dan.get("/api/z/1.0/network/stream", { unseen: 1 })).json.map((item: any) => item.body).toSorted();
  expect(await unseen()).toEqual(["unseen 1", "unseen 2", "unseen 3"]);
  await dan.get("/api/statuses/public_timeline");
  await dan.get("/api/statuses/user_timeline/bob");
  expect((await unseen()).length).toBe(3);
  await dan.get("/api/statuses/home_timeline", { count: 1 });
  expect(await unseen()).toEqual(["unseen 1", "unseen 2"]);
});

test("whom the caller blocks or ignores is in no timeline, but still found by id", async () => {
  const eve = await world.person("eve");
  await befriend(world.hub, eve.channel, ann.channel);
  const { json } = await eve.post("/api/statuses/update", { status: "hey @ann" });
  await world.work();
  const { abook_id } = (await findConnectionTo(world.hub, ann.channel.channel_id, eve.channel.channel_hash))!;
  const paths = ["home_timeline", "public_timeline", "mentions", "user_timeline/eve"];
  for (const path of paths) expect([path, (await texts(ann, path))[0]]).toEqual([path, "hey @ann"]);
  for (const state of ["blocked", "ignored"] as const) {
    await updateConnection(world.hub, ann.channel, abook_id, { [state]: true });
    for (const path of paths)
      expect([state, path, await texts(ann, path)]).toEqual([state, path, expect.not.arrayContaining(["hey @ann"])]);
    expect((await ann.get(`/api/statuses/show/${json.id}`)).status).toBe(200);
    expect((await ann.get("/api/users/show/eve")).json.statusnet_blocking).toBe(state === "blocked");
    await updateConnection(world.hub, ann.channel, abook_id, { [state]: false });
  }
});

test("the public timeline has the public posts of people who do not hide", async () => {
  const shy = await world.person("shy", { role: "social_private" });
  await shy.post("/api/statuses/update", { status: "hidden author", group_allow: "" });
  await ann.post("/api/statuses/update", { status: "private", contact_allow: bob.channel.channel_hash });
  const all = await texts(cara, "public_timeline", { count: 200 });
  expect(all).toContain("post 1");
  expect(all).not.toContain("hidden author");
  expect(all).not.toContain("private");
});
