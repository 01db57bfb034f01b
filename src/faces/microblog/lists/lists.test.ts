import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { childOf, childrenOf, readXml, textAt } from "../../../../test/support/microblog.ts";
import { befriend } from "../../../../test/support/people.ts";
import { userWithStatus } from "../../../../test/support/microblog-shapes.ts";
import { deleteGroup, findGroup } from "../../../domain/groups/groups.ts";

/** Microblog contract 8.10: lists are privacy groups. */

let world: TestApp;
let round = 0;
let ann: Person;
let bob: Person;
let cleo: Person;
let name: string;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob, cleo] = [await world.person("ann"), await world.person("bob"), await world.person("cleo")];
  await befriend(world.hub, ann.channel, bob.channel);
  await bob.post("/api/statuses/update", { status: "bob speaks" });
  await world.work();
});
afterAll(() => world.close());

beforeEach(() => {
  round += 1;
  name = `Close Friends ${round}!`;
});

type Asked = Record<string, unknown>;

const idOf = (person: Person): number => person.channel.xchan_id;
const make = async (who = ann, called = name) => (await who.post("/api/lists/create", { name: called })).json;
const nicks = (users: any[]): string[] => users.map((user) => user.screen_name);

describe("a list", () => {
  test("is made with every field of 7.14", async () => {
    const { status, json } = await ann.post("/api/lists/create", { name, mode: "public", description: "x" });
    expect([status, json]).toEqual([
      200,
      {
        id: expect.any(Number),
        id_str: String(json.id),
        name,
        full_name: `@ann/close-friends-${round}-`,
        slug: `close-friends-${round}-`,
        user: expect.objectContaining({ screen_name: "ann", id: idOf(ann) }),
        mode: "private",
        description: "",
        member_count: 0,
        subscriber_count: 0,
        following: true,
        uri: `/ann/lists/close-friends-${round}-`,
        created_at: "Sun Mar 01 12:00:00 +0000 2026",
      },
    ]);
    const group = await findGroup(world.hub, ann.channel.channel_id, { id: json.id });
    expect(group).toMatchObject({ gname: name, deleted: 0 });
    const xml = readXml(await ann.get("/api/lists/show.xml", { list_id: json.id }));
    expect([xml.name, textAt(xml, "name"), textAt(xml, "user", "screen_name")]).toEqual(["list", name, "ann"]);
  });

  test("needs a name that is free", async () => {
    await make();
    const failure = async (form: Asked) => ann.post("/api/lists/create", form);
    for (const form of [{}, { name: "" }, { name: "  " }])
      expect(await failure(form)).toMatchObject({ status: 400, json: { error: "group name not specified" } });
    for (const taken of [name, name.toUpperCase()])
      expect(await failure({ name: taken })).toMatchObject({
        status: 400,
        json: { error: "group name already exists" },
      });
    expect((await failure({ name: "Chœur é".normalize("NFD") })).status).toBe(200);
    expect((await failure({ name: "Chœur é".normalize("NFC") })).status).toBe(400);
    expect(await failure({ name: "x".repeat(300) })).toMatchObject({ status: 400, json: { error: "other API error" } });
    expect((await ann.get("/api/lists/create", { name: "x" })).status).toBe(405);
  });

  test("is named by id, or by slug and owner (Choqok)", async () => {
    const { id, slug } = await make();
    const show = async (query: Asked) => ann.get("/api/lists/show", query);
    for (const query of [
      { list_id: id },
      { slug, owner_screen_name: "ann" },
      { slug: slug.toUpperCase(), owner_id: idOf(ann) },
      { slug, owner_screen_name: "ANN@hub.example" },
      { slug },
    ])
      expect((await show(query)).json.id).toBe(id);
    for (const query of [
      { list_id: 999_999 },
      { list_id: "x" },
      { slug: "no-such" },
      { slug, owner_screen_name: "bob" },
      { slug, owner_id: idOf(bob) },
    ])
      expect(await show(query)).toMatchObject({ status: 404, json: { error: "gid not available" } });
    for (const query of [{}, { list_id: "" }, { owner_screen_name: "ann" }])
      expect(await show(query)).toMatchObject({ status: 400, json: { error: "gid not specified" } });
  });

  test("gets another name, and keeps its hash", async () => {
    const { id } = await make();
    const before = await findGroup(world.hub, ann.channel.channel_id, { id });
    const { json } = await ann.post("/api/lists/update", { list_id: id, name: `New ${round}` });
    expect(json).toMatchObject({ id, name: `New ${round}`, slug: `new-${round}` });
    expect((await findGroup(world.hub, ann.channel.channel_id, { id }))!.hash).toBe(before!.hash);
    await make(ann, `Taken ${round}`);
    const failure = async (form: Asked) => ann.post("/api/lists/update", form);
    expect(await failure({ list_id: id, name: `Taken ${round}` })).toMatchObject({
      status: 400,
      json: { error: "group name already exists" },
    });
    expect(await failure({ list_id: id })).toMatchObject({ status: 400, json: { error: "group name not specified" } });
    expect(await failure({ name: "x" })).toMatchObject({ status: 400, json: { error: "gid not specified" } });
    expect((await ann.send("PUT", "/api/lists/update")).status).toBe(405);
  });

  test("is answered as it was when it goes; a new one of that name is another", async () => {
    const { id } = await make();
    await ann.post("/api/lists/members/create", { list_id: id, user_id: idOf(bob) });
    expect((await ann.post("/api/lists/destroy", { list_id: id })).json).toMatchObject({ id, name, member_count: 1 });
    expect(await ann.post("/api/lists/destroy", { list_id: id })).toMatchObject({
      status: 404,
      json: { error: "gid not available" },
    });
    const again = await make();
    expect(again.id).not.toBe(id);
    const [old, fresh] = [
      await findGroup(world.hub, ann.channel.channel_id, { id }),
      await findGroup(world.hub, ann.channel.channel_id, { id: again.id }),
    ];
    expect(old!.hash).not.toBe(fresh!.hash);
  });

  test("that was made before dates were kept has that of the channel", async () => {
    const { id } = await make();
    await world.hub.db.updateTable("pgrp").set({ created: "" }).where("id", "=", id).execute();
    expect((await ann.get("/api/lists/show", { list_id: id })).json.created_at).toBe("Sun Mar 01 12:00:00 +0000 2026");
  });
});

describe("members", () => {
  test("come, go and are shown", async () => {
    const { id } = await make();
    const change = async (path: string, form: Asked) =>
      ann.post(`/api/lists/members/${path}`, { list_id: id, ...form });
    expect((await change("create", { user_id: idOf(bob) })).json).toMatchObject({ id, member_count: 1 });
    expect((await change("create", { screen_name: "bob" })).json.member_count).toBe(1);
    const { json } = await ann.get("/api/lists/members", { list_id: id });
    expect(json).toMatchObject({ next_cursor: 0, previous_cursor: 0, total_count: 1 });
    expect(userWithStatus.parse(json.users[0])).toMatchObject({ screen_name: "bob", status: { text: "bob speaks" } });
    const skipped = await ann.get("/api/lists/members", { list_id: id, skip_status: "true" });
    expect(skipped.json.users[0].status).toBeUndefined();
    expect((await ann.get("/api/lists/members/show", { list_id: id, user_id: idOf(bob) })).json.screen_name).toBe(
      "bob",
    );
    expect((await ann.get("/api/lists/members/show", { list_id: id, user_id: idOf(cleo) })).status).toBe(404);
    expect((await ann.get("/api/lists/members/show", { list_id: id, user_id: 999_999 })).status).toBe(404);
    expect((await change("destroy", { user_id: idOf(bob) })).json.member_count).toBe(0);
    expect((await change("destroy", { user_id: idOf(bob) })).json.member_count).toBe(0);
    expect((await ann.get("/api/lists/members", { list_id: id })).json).toMatchObject({ users: [], next_cursor: 0 });
    const xml = readXml(await ann.get("/api/lists/members.xml", { list_id: id }));
    expect([xml.name, childOf(xml, "users").children]).toEqual(["users_list", []]);
  });

  test("must be connections", async () => {
    const { id } = await make();
    const change = async (path: string, form: Asked) =>
      ann.post(`/api/lists/members/${path}`, { list_id: id, ...form });
    expect(await change("create", { user_id: idOf(cleo) })).toMatchObject({
      status: 400,
      json: { error: `User ID ${idOf(cleo)} not found.` },
    });
    expect(await change("create", { user_id: 999_999 })).toMatchObject({
      status: 400,
      json: { error: "User ID 999999 not found." },
    });
    expect(await change("create", {})).toMatchObject({ status: 400, json: { error: "no user_id specified" } });
    await ann.post("/api/blocks/create", { user_id: idOf(cleo) });
    expect((await change("create", { user_id: idOf(cleo) })).status).toBe(400);
    await ann.post("/api/blocks/destroy", { user_id: idOf(cleo) });
    for (const path of ["create", "destroy", "create_all", "destroy_all"]) {
      const nowhere = { user_id: idOf(bob) };
      expect(await ann.post(`/api/lists/members/${path}`, nowhere)).toMatchObject({
        status: 400,
        json: { error: "gid not specified" },
      });
      expect(await ann.post(`/api/lists/members/${path}`, { ...nowhere, list_id: 999_999 })).toMatchObject({
        status: 404,
        json: { error: "gid not available" },
      });
    }
  });

  test("many at once: all or nobody, at most a hundred", async () => {
    const { id } = await make();
    const dora = await world.person(`dora${round}`);
    await befriend(world.hub, ann.channel, dora.channel);
    const change = async (path: string, form: Asked) =>
      ann.post(`/api/lists/members/${path}`, { list_id: id, ...form });
    const mixed = await change("create_all", { user_id: [idOf(bob), idOf(cleo)].join(",") });
    expect(mixed).toMatchObject({ status: 400, json: { error: `User ID ${idOf(cleo)} not found.` } });
    expect((await ann.get("/api/lists/show", { list_id: id })).json.member_count).toBe(0);
    expect((await change("create_all", { screen_name: `bob,${dora.nick}` })).json.member_count).toBe(2);
    const page = (await ann.get("/api/lists/members", { list_id: id, count: 1 })).json;
    expect([nicks(page.users), page.next_cursor, page.total_count]).toEqual([[dora.nick], idOf(dora), 2]);
    const next = (await ann.get("/api/lists/members", { list_id: id, count: 1, cursor: page.next_cursor })).json;
    expect([nicks(next.users), next.next_cursor]).toEqual([["bob"], 0]);
    expect((await change("destroy_all", { user_id: [idOf(bob), idOf(dora)] })).json.member_count).toBe(0);
    const many = Array.from({ length: 101 }, (_, n) => n + 1).join(",");
    expect(await change("create_all", { user_id: many })).toMatchObject({
      status: 400,
      json: { error: "other API error" },
    });
  });
});

describe("lists of lists", () => {
  test("ownerships, list and subscriptions name all of the caller's, without deleted ones", async () => {
    const { id } = await make();
    const gone = await make(ann, `Gone ${round}`);
    await deleteGroup(world.hub, ann.channel.channel_id, gone.id);
    const owned = (await ann.get("/api/lists/ownerships", { count: 1, cursor: 5 })).json;
    expect(owned).toMatchObject({ next_cursor: 0, next_cursor_str: "0", previous_cursor: 0 });
    const names = owned.lists.map((list: any) => list.name);
    expect(names).toContain("Friends");
    expect(names).toContain(name);
    expect(names).not.toContain(`Gone ${round}`);
    expect(owned.total_count).toBe(names.length);
    for (const path of ["lists/list", "lists/subscriptions", "1.1/lists/list"])
      expect((await ann.get(`/api/${path}`)).json).toEqual(owned.lists);
    expect((await ann.get("/api/lists/list", { user_id: idOf(ann) })).json).toHaveLength(names.length);
    for (const named of [{ user_id: idOf(bob) }, { screen_name: "bob" }, { user_id: "999999" }]) {
      expect((await ann.get("/api/lists/list", named)).json).toEqual([]);
      expect((await ann.get("/api/lists/ownerships", named)).json).toMatchObject({ lists: [], next_cursor: 0 });
    }
    const xml = readXml(await ann.get("/api/lists/ownerships.xml"));
    expect([xml.name, childrenOf(xml, "list").length]).toEqual(["lists", names.length]);
    expect(readXml(await ann.get("/api/lists/list.xml")).name).toBe("lists");
    expect(owned.lists.find((list: any) => list.id === id).member_count).toBe(0);
  });

  test("memberships are the caller's lists that hold somebody", async () => {
    const { id } = await make();
    await ann.post("/api/lists/members/create", { list_id: id, user_id: idOf(bob) });
    const { json } = await ann.get("/api/lists/memberships", { user_id: idOf(bob), count: 1 });
    expect(json).toMatchObject({ lists: [{ id }], next_cursor: id, previous_cursor: 0 });
    const rest = (await ann.get("/api/lists/memberships", { user_id: idOf(bob), count: 200, cursor: id })).json;
    expect(rest.lists.map((list: any) => list.name)).toContain("Friends");
    expect(rest).toMatchObject({ next_cursor: 0, total_count: json.total_count });
    expect((await ann.get("/api/lists/memberships", { user_id: idOf(cleo) })).json).toMatchObject({
      lists: [],
      next_cursor: 0,
      total_count: 0,
    });
    expect((await ann.get("/api/lists/memberships")).json.lists.map((list: any) => list.name)).toEqual(["Friends"]);
    expect((await bob.get("/api/lists/memberships", { user_id: idOf(bob) })).text).not.toContain(name);
    const xml = readXml(await ann.get("/api/lists/memberships.xml", { user_id: idOf(bob) }));
    expect([xml.name, childOf(xml, "lists").children[0]?.name]).toEqual(["lists_list", "list"]);
  });

  test("of somebody else are what does not exist", async () => {
    const { id } = await make();
    const calls: [string, string, Asked][] = [
      ["GET", "lists/show", {}],
      ["GET", "lists/members", {}],
      ["GET", "lists/members/show", { user_id: idOf(bob) }],
      ["POST", "lists/update", { name: "x" }],
      ["POST", "lists/destroy", {}],
      ["POST", "lists/members/create", { user_id: idOf(ann) }],
      ["POST", "lists/members/create_all", { user_id: idOf(ann) }],
      ["POST", "lists/members/destroy", { user_id: idOf(bob) }],
      ["POST", "lists/members/destroy_all", { user_id: idOf(bob) }],
    ];
    for (const [method, path, more] of calls) {
      const [foreign, unknown] = await Promise.all(
        [id, 999_999].map((list_id) => bob.send(method, `/api/${path}`, undefined, { query: { list_id, ...more } })),
      );
      expect([path, foreign!.status, foreign!.text]).toEqual([path, 404, unknown!.text]);
      expect(foreign!.json.error).toBe("gid not available");
      expect((await world.anonymous.send(method, `/api/${path}`)).status).toBe(401);
    }
    expect((await ann.get("/api/lists/show", { list_id: id })).json.name).toBe(name);
  });
});
