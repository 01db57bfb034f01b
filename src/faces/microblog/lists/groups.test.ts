import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import type { Answer } from "../../../../test/support/client.ts";
import { childOf, expectSame, readXml } from "../../../../test/support/microblog.ts";
import type { Tag } from "../../../../test/support/microblog.ts";
import { errorObject } from "../../../../test/support/microblog-shapes.ts";
import { groupChange, groupRecord, groupResult } from "../../../../test/support/microblog-shapes.ts";
import { befriend, connectionId } from "../../../../test/support/people.ts";
import { createGuest } from "../../../domain/connections/connections.ts";
import { findGroup } from "../../../domain/groups/groups.ts";
import { statementsOf } from "../../../../test/support/statements.ts";

/** Privacy groups: microblog contract 7.8, 7.9, 9.2 and the dialects of 2.5. */

let world: TestApp;
let ann: Person;
let bob: Person;
let cara: Person;
let ofBob: number;
let ofCara: number;
/** Ann's connection, as bob has it. */
let ofAnn: number;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob, cara] = [await world.person("ann"), await world.person("bob"), await world.person("cara")];
  await befriend(world.hub, ann.channel, bob.channel);
  await befriend(world.hub, ann.channel, cara.channel);
  ofBob = await connectionId(world.hub, ann.channel, bob.channel);
  ofCara = await connectionId(world.hub, ann.channel, cara.channel);
  ofAnn = await connectionId(world.hub, bob.channel, ann.channel);
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.hub.db.deleteFrom("pgrp_member").execute();
  await world.hub.db.deleteFrom("pgrp").execute();
});

const bobAndCara = () => JSON.stringify({ gid: "", name: "", user: [{ cid: ofBob }, { cid: String(ofCara) }] });

async function create(name: string, json?: string): Promise<any> {
  const { status, json: answer } = await ann.post("/api/svc/group_create", { name, json });
  expect([status, answer.error]).toEqual([200, undefined]);
  return answer[0];
}

async function membersOf(gid: number): Promise<string[]> {
  const { json } = await ann.get("/api/svc/group_show", { gid });
  return json[0].user.map((user: any) => user.screen_name);
}

function expectError({ status, json }: Answer, error: string): void {
  errorObject.parse(json);
  expect([status, json.error]).toEqual([400, error]);
}

function raw(person: Person, method: string, path: string, body: unknown, query: Record<string, unknown> = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return person.send(method, `/api/${path}`, text, { query, headers: { "content-type": "application/json" } });
}

describe("show", () => {
  test("all groups by name, or one, always as an array", async () => {
    const [choir, band, empty] = [
      await create("Choir", bobAndCara()),
      await create("band", bobAndCara()),
      await create("Empty"),
    ];
    await ann.post("/api/svc/group_delete", { gid: empty.gid, name: "Empty" });
    for (const path of ["svc/group_show", "friendica/group_show", "friendica/circle_show", "1.1/svc/group_show"]) {
      for (const method of ["GET", "POST", "PUT"]) {
        const { status, json } = await ann.send(method, `/api/${path}.json`);
        expect([status, json.map((group: any) => group.name)]).toEqual([200, ["band", "Choir"]]);
        for (const group of json) groupRecord.parse(group);
      }
      for (const gid of ["", "0"]) expect((await ann.get(`/api/${path}`, { gid })).json).toHaveLength(2);
      const { json } = await ann.get(`/api/${path}`, { gid: choir.gid });
      expect(json).toMatchObject([
        {
          name: "Choir",
          gid: choir.gid,
          user: [
            { screen_name: "bob", cid: ofBob, following: true },
            { screen_name: "cara", cid: ofCara },
          ],
        },
      ]);
      for (const gid of [empty.gid, 987_654, "abc"])
        expectError(await ann.get(`/api/${path}`, { gid }), "gid not available");
    }
    expect((await bob.get("/api/svc/group_show")).json).toEqual([]);
    expectError(await bob.get("/api/svc/group_show", { gid: band.gid }), "gid not available");
  });

  test("in XML", async () => {
    await create("Choir & <Band>", bobAndCara());
    await create("Empty");
    const root = readXml(await ann.get("/api/svc/group_show.xml"));
    const { json } = await ann.get("/api/svc/group_show");
    expect([root.name, Object.keys(root.attributes)]).toEqual([
      "groups",
      ["xmlns:statusnet", "xmlns:svc", "xmlns:georss"],
    ]);
    expect(root.children.map(({ name }) => name)).toEqual(["group", "group"]);
    root.children.forEach((group, at) => expectGroup(group, json[at]));
    expect(readXml(await bob.get("/api/svc/group_show.xml")).children).toEqual([]);
  });

  test("as many queries for many groups as for few", async () => {
    const queries = () => statementsOf(world.hub, () => ann.get("/api/svc/group_show"));
    await create("one", bobAndCara());
    await ann.get("/api/svc/group_show");
    const few = await queries();
    for (const name of ["two", "three", "four"]) await create(name, bobAndCara());
    expect(await queries()).toBe(few);
  });
});

/** In XML the members stand in `users`, and names have no spaces. */
function expectGroup(tag: Tag, { name, gid, user, ...change }: any): void {
  expect(tag.children.map((child) => child.name)).toEqual([
    "name",
    "gid",
    "users",
    ...Object.keys(change).map((key) => key.replace(" ", "_")),
  ]);
  expect([childOf(tag, "name").text, childOf(tag, "gid").text]).toEqual([name, String(gid)]);
  const users = childOf(tag, "users").children;
  expect(users.map((one) => one.name)).toEqual(user.map(() => "user"));
  users.forEach((one, at) => expectSame(one, user[at]));
}

describe("create", () => {
  const path = "svc/group_create";
  const contacts = () => [{ cid: ofBob }, { cid: ofCara, screen_name: "somebody else" }];
  const record = (name: string) => ({ gid: "", name, user: contacts() });

  test("answers an array with one record", async () => {
    const group = groupChange.parse(await create("Choir", bobAndCara()));
    expect(group).toMatchObject({ success: true, name: "Choir", status: "ok", "wrong users": [] });
    expect(group.user.map((user) => user.screen_name)).toEqual(["bob", "cara"]);
    expect(await membersOf(group.gid)).toEqual(["bob", "cara"]);
  });

  test.each(["friendica/group_create", "friendica/circle_create", "1.1/friendica/group_create"])(
    "%s answers one object",
    async (alias) => {
      const { json } = await ann.post(`/api/${alias}`, { name: "Choir", json: bobAndCara() });
      expect(groupResult.parse(json)).toMatchObject({ name: "Choir", status: "ok", "wrong users": [] });
      const root = readXml(
        await ann.post(`/api/${alias}.xml`, { name: "Band", json: JSON.stringify([{ cid: 987_654 }]) }),
      );
      expect(root.name).toBe("group_create");
      expect(root.children.map(({ name }) => name)).toEqual(["success", "gid", "name", "status", "wrong_users"]);
      expect(childOf(root, "wrong_users").children.map(({ name, text }) => [name, text])).toEqual([["id", "987654"]]);
    },
  );

  test.each(["POST", "PUT"])("by %s with the record in every place where clients put it", async (method) => {
    const form = (json: unknown, query: Record<string, unknown>) =>
      ann.send(method, `/api/${path}`, new URLSearchParams({ json: JSON.stringify(json) }), { query });
    const multipart = (json: unknown, query: Record<string, unknown>) => {
      const body = new FormData();
      body.append("json", JSON.stringify(json));
      return ann.send(method, `/api/${path}`, body, { query });
    };
    const named = (name: string): unknown[] => [record(name), [record(name)]];
    const answers: Answer[] = [];
    let n = 0;
    for (const send of [
      form,
      multipart,
      (json: unknown, query: Record<string, unknown>) => raw(ann, method, path, json, query),
    ]) {
      // Trap 39: the name in the query of the same request.
      for (const json of [...named(`inner ${n}`), contacts()]) answers.push(await send(json, { name: `g${n++}` }));
      for (const at of [0, 1]) answers.push(await send(named(`g${n++}`)[at], {}));
    }
    for (const { status, json } of answers) {
      expect([status, json[0]?.user?.length, json[0]?.status]).toEqual([200, 2, "ok"]);
    }
    expect(answers).toHaveLength(15);
  });

  test("without members", async () => {
    for (const [name, json] of [
      ["a", undefined],
      ["b", ""],
      ["c", "[]"],
      ["d", '{"user":[]}'],
      ["e", '{"name":"x"}'],
    ] as const)
      expect((await create(name, json)).user).toEqual([]);
  });

  test("people who are no connections are told, once each, and left out", async () => {
    const json = JSON.stringify([
      { cid: ofBob },
      { cid: 987_654 },
      { cid: ofAnn },
      { cid: 987_654 },
      { id: 987_653 },
      { cid: 0 },
    ]);
    const group = groupChange.parse(await create("Choir", json));
    expect([group.status, group["wrong users"], group.user.length]).toEqual([
      "missing user",
      [987_654, ofAnn, 987_653, 0],
      1,
    ]);
    const root = readXml(await ann.post("/api/svc/group_create.xml", { name: "Band", json }));
    expect(root.children.map(({ name }) => name)).toEqual(["group"]);
    expect(childOf(root.children[0]!, "wrong_users").children).toHaveLength(4);
    expect(childOf(root.children[0]!, "status").text).toBe("missing user");
    expect(childOf(root.children[0]!, "users").children).toHaveLength(1);
  });

  test("by the person's number where there is no cid: oneself and guests have none", async () => {
    const guest = await createGuest(world.hub, ann.channel, { name: "Visitor" });
    const row = await world.hub.db
      .selectFrom("xchan")
      .select("xchan_id")
      .where("xchan_hash", "=", guest.hash)
      .executeTakeFirst();
    const user = [{ id: bob.channel.xchan_id }, { cid: 0, id: ann.channel.xchan_id }, { id: row!.xchan_id }];
    const group = await create("Choir", JSON.stringify({ user }));
    expect([group.status, group.user.map((one: any) => one.name)]).toEqual(["ok", ["Bob", "Ann", "Visitor"]]);
    // What was read can be written as it is.
    const { json } = await ann.post("/api/svc/group_update", {
      gid: group.gid,
      name: "Choir",
      json: JSON.stringify(group.user),
    });
    expect([json[0].status, json[0].user.length]).toEqual(["ok", 3]);
    const stranger = await world.person("stranger");
    const strangers = await create("Strangers", JSON.stringify([{ id: stranger.channel.xchan_id }]));
    expect(strangers["wrong users"]).toEqual([stranger.channel.xchan_id]);
  });

  test("errors", async () => {
    await create("Choir");
    for (const name of [undefined, "", " "])
      expectError(await ann.post(`/api/${path}`, { name, json: bobAndCara() }), "group name not specified");
    expectError(await ann.post(`/api/${path}`, { name: "Choir" }), "group name already exists");
    expectError(await ann.post(`/api/${path}`, { name: "x".repeat(192) }), "other API error");
    for (const json of [
      "{",
      "7",
      '"x"',
      "null",
      '{"user":7}',
      '[{"cid":"x"}]',
      "[7]",
      '[{"name":"x"}]',
      '[{"cid":-1}]',
      '[{"cid":1.5}]',
    ])
      expectError(await ann.post(`/api/${path}`, { name: "New", json }), "json data invalid");
    expectError(await raw(ann, "POST", path, "{"), "json data invalid");
    expect((await ann.get(`/api/${path}`, { name: "x" })).status).toBe(405);
    expect((await ann.get("/api/svc/group_show")).json).toHaveLength(1);
    // The name of a deleted group is free again.
    const { gid } = (await ann.get("/api/svc/group_show")).json[0];
    await ann.post("/api/svc/group_delete", { gid, name: "Choir" });
    expect((await create("Choir")).gid).not.toBe(gid);
  });

  test("a group that fails leaves nothing behind", async () => {
    await ann.post(`/api/${path}`, { name: "New", json: '[{"cid":"x"}]' });
    expect(await findGroup(world.hub, ann.channel.channel_id, { name: "New" })).toBeUndefined();
  });
});

describe("update", () => {
  const path = "/api/svc/group_update";

  test("makes exactly the posted people the members", async () => {
    const { gid } = await create("Choir", JSON.stringify([{ cid: ofBob }]));
    const update = (json: unknown) => ann.post(path, { gid, name: "Choir", json: JSON.stringify(json) });
    const { json } = await update({ gid, name: "Choir", user: [{ cid: ofCara }, { cid: 987_654 }] });
    expect(groupChange.parse(json[0])).toMatchObject({ gid, status: "missing user", "wrong users": [987_654] });
    expect(await membersOf(gid)).toEqual(["cara"]);
    await update([{ cid: ofCara }, { cid: ofBob }]);
    expect((await membersOf(gid)).toSorted()).toEqual(["bob", "cara"]);
    expect((await update([])).json[0].user).toEqual([]);
    expect(await membersOf(gid)).toEqual([]);
  });

  test.each([
    ["POST", "svc/group_update"],
    ["POST", "friendica/group_update"],
    ["PUT", "friendica/group_update"],
    ["PUT", "friendica/circle_update"],
    ["POST", "1.1/friendica/circle_update"],
  ])("%s %s with name and gid in the query", async (method, alias) => {
    const { gid } = await create("Choir");
    const body = new FormData();
    body.append("json", bobAndCara());
    const { status, json } = await ann.send(method, `/api/${alias}.json`, body, { query: { gid, name: "Choir" } });
    expect(status).toBe(200);
    if (alias.startsWith("svc")) groupChange.parse(json[0]);
    else expect(groupResult.parse(json).status).toBe("ok");
    expect(await membersOf(gid)).toEqual(["bob", "cara"]);
    const root = readXml(await ann.send(method, `/api/${alias}.xml`, body, { query: { gid, name: "Choir" } }));
    expect(root.name).toBe(alias.startsWith("svc") ? "groups" : "group_update");
    const whole = await raw(ann, method, alias, { gid, name: "Choir", user: [{ cid: ofBob }] });
    expect([whole.status, await membersOf(gid)]).toEqual([200, ["bob"]]);
  });

  test("errors change nothing", async () => {
    const { gid } = await create("Choir", bobAndCara());
    const theirs = (await bob.post("/api/svc/group_create", { name: "Choir" })).json[0].gid;
    const json = JSON.stringify([{ cid: ofBob }]);
    const cases: [Record<string, unknown>, string][] = [
      [{ gid, json }, "group name not specified"],
      [{ json }, "group name not specified"],
      [{ name: "Choir", json }, "gid not specified"],
      [{ gid: 0, name: "Choir", json }, "gid not specified"],
      [{ gid: "abc", name: "Choir", json }, "gid not available"],
      [{ gid: 987_654, name: "Choir", json }, "gid not available"],
      [{ gid: theirs, name: "Choir", json }, "gid not available"],
      [{ gid, name: "choir", json }, "wrong group name"],
      [{ gid, name: "Another", json }, "wrong group name"],
      [{ gid, name: "Choir" }, "json data invalid"],
      [{ gid, name: "Choir", json: "" }, "json data invalid"],
      [{ gid, name: "Choir", json: "{}" }, "json data invalid"],
      [{ gid, name: "Choir", json: "nothing" }, "json data invalid"],
    ];
    for (const [form, error] of cases) expectError(await ann.post(path, form), error);
    expectError(await raw(ann, "POST", "svc/group_update", { gid, name: "Choir" }), "json data invalid");
    expect((await ann.send("PUT", path)).status).toBe(405);
    expect(await membersOf(gid)).toEqual(["bob", "cara"]);
  });
});

describe("delete", () => {
  test.each([
    ["POST", "svc/group_delete"],
    ["DELETE", "svc/group_delete"],
    ["POST", "friendica/group_delete"],
    ["DELETE", "friendica/circle_delete"],
  ])("%s %s", async (method, path) => {
    const { gid } = await create("Choir", bobAndCara());
    const { status, json } = await ann.send(method, `/api/${path}.json`, undefined, { query: { gid, name: "Choir" } });
    expect(status).toBe(200);
    if (path.startsWith("svc")) {
      expect(groupChange.parse(json[0])).toMatchObject({ gid, name: "Choir", status: "deleted", "wrong users": [] });
      expect(json[0].user.map((user: any) => user.screen_name)).toEqual(["bob", "cara"]);
    } else expect(groupResult.parse(json)).toMatchObject({ gid, status: "deleted" });
    expect((await ann.get("/api/svc/group_show")).json).toEqual([]);
    const other = await create("Band");
    const root = readXml(
      await ann.send(method, `/api/${path}.xml`, undefined, { query: { gid: other.gid, name: "Band" } }),
    );
    expect(root.name).toBe(path.startsWith("svc") ? "groups" : "group_delete");
  });

  test("errors delete nothing", async () => {
    const { gid } = await create("Choir");
    const theirs = (await bob.post("/api/svc/group_create", { name: "Choir" })).json[0].gid;
    const cases: [Record<string, unknown>, string][] = [
      [{ gid }, "gid or name not specified"],
      [{ name: "Choir" }, "gid or name not specified"],
      [{}, "gid or name not specified"],
      [{ gid: 987_654, name: "Choir" }, "gid not available"],
      [{ gid: theirs, name: "Choir" }, "gid not available"],
      [{ gid, name: "Another" }, "wrong group name"],
    ];
    for (const [form, error] of cases) expectError(await ann.post("/api/svc/group_delete", form), error);
    for (const person of [ann, bob]) expect((await person.get("/api/svc/group_show")).json).toHaveLength(1);
    expect((await ann.get("/api/svc/group_delete", { gid, name: "Choir" })).status).toBe(405);
  });
});
