import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { childrenOf, readXml } from "../../../../test/support/microblog.ts";
import { befriend, connectionId, mark } from "../../../../test/support/people.ts";
import { addMembers, createGroup } from "../../../domain/groups/groups.ts";
import type { Group } from "../../../domain/groups/groups.ts";
import { followThread } from "../../../domain/items/posting/follow.ts";

/** Lists and what they show: microblog contract 8.2, 8.5, 8.10, 2.5. */

let world: TestApp;
let ann: Person;
let bob: Person;
let cara: Person;
let dan: Person;
let choir: Group;
let foreign: Group;
let question: number;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob, cara, dan] = [
    await world.person("ann"),
    await world.person("bob"),
    await world.person("cara"),
    await world.person("dan"),
  ];
  await befriend(world.hub, ann.channel, bob.channel);
  await befriend(world.hub, ann.channel, cara.channel);
  choir = await createGroup(world.hub, ann.channel.channel_id, "The Choir");
  foreign = await createGroup(world.hub, bob.channel.channel_id, "The Choir");
  await addMembers(world.hub, ann.channel.channel_id, choir.id, [bob.channel.channel_hash]);
  await addMembers(world.hub, bob.channel.channel_id, foreign.id, [ann.channel.channel_hash]);
  question = await post(bob, "bob's question");
  await post(cara, "cara's post");
  await post(dan, "dan's post");
  const seen = await idFor(ann, "bob's question");
  await post(ann, "ann's answer", { in_reply_to_status_id: seen });
  await post(bob, "bob's answer", { in_reply_to_status_id: await idFor(bob, "ann's answer") });
  await post(bob, "for ann alone", { contact_allow: `<${ann.channel.channel_hash}>` });
});
afterAll(() => world.close());

async function post(person: Person, status: string, more: Record<string, unknown> = {}): Promise<number> {
  const { json } = await person.post("/api/statuses/update", { status, ...more });
  await world.work();
  return json.id;
}

async function idFor(person: Person, text: string): Promise<number> {
  const { json } = await person.get("/api/statuses/home_timeline", { count: 200 });
  return json.find((status: any) => status.text === text)?.id;
}

async function texts(person: Person, path: string, query: Record<string, unknown> = {}): Promise<string[]> {
  const { status, json } = await person.get(`/api/${path}`, query);
  expect([path, status]).toEqual([path, 200]);
  return json.map((status: any) => status.text);
}

describe("lists/statuses", () => {
  const namings: [string, () => Record<string, unknown>][] = [
    ["list_id", () => ({ list_id: choir.id })],
    ["slug and the own nickname", () => ({ slug: "the-choir", owner_screen_name: "ann" })],
    ["slug and the own id", () => ({ slug: "the-choir", owner_id: ann.channel.xchan_id })],
  ];

  test.each(namings)("by %s: what the members wrote, private posts too", async (_name, query) => {
    expect(await texts(ann, "lists/statuses", query())).toEqual(["for ann alone", "bob's answer", "bob's question"]);
  });

  test("narrowed", async () => {
    const list = { list_id: choir.id };
    expect(await texts(ann, "lists/statuses", { ...list, exclude_replies: "true" })).toEqual([
      "for ann alone",
      "bob's question",
    ]);
    const conversation_id = await idFor(ann, "bob's question");
    expect(await texts(ann, "lists/statuses", { ...list, conversation_id })).toEqual([
      "bob's answer",
      "bob's question",
    ]);
    const contact = async (person: Person) => connectionId(world.hub, ann.channel, person.channel);
    expect((await texts(ann, "lists/statuses", { ...list, contact_id: await contact(bob) })).length).toBe(3);
    for (const contact_id of [await contact(cara), 987_654, 0, "x"])
      expect(await texts(ann, "lists/statuses", { ...list, contact_id })).toEqual([]);
    const [first, second] = (await ann.get("/api/lists/statuses", { ...list, count: 2 })).json;
    expect((await ann.get("/api/lists/statuses", { ...list, max_id: second.id, count: 1 })).json[0].id).toBe(second.id);
    expect((await ann.get("/api/lists/statuses", { ...list, since_id: second.id })).json.map((s: any) => s.id)).toEqual(
      [first.id],
    );
    expect(await texts(ann, "lists/statuses", { ...list, count: 1, page: 2 })).toEqual(["bob's answer"]);
  });

  test("XML and below 1.1", async () => {
    const xml = readXml(await ann.get("/api/lists/statuses.xml", { list_id: choir.id }));
    expect([xml.name, childrenOf(xml, "status").length]).toEqual(["statuses", 3]);
    const { json } = await ann.get("/api/1.1/lists/statuses.json", { list_id: choir.id });
    expect(json[0].entities.hashtags).toEqual([]);
    expect("entities" in (await ann.get("/api/lists/statuses", { list_id: choir.id })).json[0]).toBe(false);
  });

  test("an empty list, and members whom the caller blocks or ignores", async () => {
    const nobody = await createGroup(world.hub, ann.channel.channel_id, "Nobody");
    expect(await texts(ann, "lists/statuses", { list_id: nobody.id })).toEqual([]);
    for (const state of ["blocked", "ignored"] as const) {
      await mark(world.hub, ann.channel, bob.channel, { [state]: true });
      expect(await texts(ann, "lists/statuses", { list_id: choir.id })).toEqual([]);
      await mark(world.hub, ann.channel, bob.channel, { [state]: false });
    }
  });

  test("errors", async () => {
    const cases: [Record<string, unknown>, number, string][] = [
      [{}, 400, "list_id not specified"],
      [{ list_id: "" }, 400, "list_id not specified"],
      [{ list_id: 987_654 }, 404, "gid not available"],
      [{ list_id: foreign.id }, 404, "gid not available"],
      [{ slug: "no-choir" }, 404, "gid not available"],
      [{ slug: "the-choir", owner_screen_name: "bob" }, 404, "gid not available"],
      [{ slug: "the-choir", owner_id: bob.channel.xchan_id }, 404, "gid not available"],
    ];
    for (const [query, code, error] of cases) {
      const { status, json } = await ann.get("/api/lists/statuses", query);
      expect([query, status, json]).toMatchObject([query, code, { error, code }]);
    }
  });
});

test("networkpublic_timeline has every public status once, by the caller's copy where there is one", async () => {
  const { json } = await ann.get("/api/statuses/networkpublic_timeline", { count: 200 });
  const all = json.map((status: any) => status.text);
  expect(all).toEqual(["bob's answer", "ann's answer", "dan's post", "cara's post", "bob's question"]);
  expect(json.at(-1).id).toBe(await idFor(ann, "bob's question"));
  // Trap 38: its ids are good everywhere.
  for (const { id } of json)
    for (const path of [`statuses/show/${id}`, `conversation/show/${id}`, `statusnet/conversation/${id}`])
      expect([path, (await ann.get(`/api/${path}`)).status]).toEqual([path, 200]);
  expect(await texts(ann, "statuses/networkpublic_timeline", { exclude_replies: "1" })).toEqual([
    "dan's post",
    "cara's post",
    "bob's question",
  ]);
  const contact_id = await connectionId(world.hub, ann.channel, cara.channel);
  expect(await texts(ann, "statuses/networkpublic_timeline", { contact_id })).toEqual(["cara's post"]);
  for (const conversation_id of [question, json.at(-1).id])
    expect(await texts(ann, "statuses/networkpublic_timeline", { conversation_id })).toEqual([
      "bob's answer",
      "ann's answer",
      "bob's question",
    ]);
  expect((await dan.get("/api/statuses/networkpublic_timeline")).json.length).toBe(5);
  expect(readXml(await dan.get("/api/statuses/networkpublic_timeline.xml")).name).toBe("statuses");
  await mark(world.hub, ann.channel, cara.channel, { ignored: true });
  expect(await texts(ann, "statuses/networkpublic_timeline")).not.toContain("cara's post");
  await mark(world.hub, ann.channel, cara.channel, { ignored: false });
});

test("user_timeline of somebody whom the caller does not follow is what is public", async () => {
  expect(await texts(dan, "statuses/user_timeline/bob")).toEqual(["bob's answer", "bob's question"]);
  expect(await texts(ann, "statuses/user_timeline/bob")).toEqual(["for ann alone", "bob's answer", "bob's question"]);
});

test("mentions leave out threads of which the caller wants to hear no more", async () => {
  expect(await texts(bob, "statuses/mentions")).toEqual(["ann's answer"]);
  await followThread(world.hub, bob.channel, { id: question }, false);
  for (const path of ["mentions", "replies", "mentions_timeline"])
    expect(await texts(bob, `statuses/${path}`)).toEqual([]);
  await followThread(world.hub, bob.channel, { id: question }, true);
  expect(await texts(bob, "statuses/mentions")).toEqual(["ann's answer"]);
});

describe("conversation", () => {
  const whole = ["bob's answer", "ann's answer", "bob's question"];

  test.each(["conversation/show", "compat/conversation", "1.1/conversation/show", "1.1/compat/conversation"])(
    "%s: direct answers without the status itself",
    async (path) => {
      expect(await texts(bob, `${path}/${question}`)).toEqual(["ann's answer"]);
      expect(await texts(bob, path, { id: question })).toEqual(["ann's answer"]);
      expect(await texts(bob, `${path}/${await idFor(bob, "bob's answer")}.json`)).toEqual([]);
    },
  );

  test.each(["statusnet/conversation", "gnusocial/conversation", "1.1/statusnet/conversation"])(
    "%s: the whole thread of any id in it, paged",
    async (path) => {
      for (const text of whole) expect(await texts(bob, `${path}/${await idFor(bob, text)}`)).toEqual(whole);
      expect(await texts(bob, path, { id: question, count: 1, page: 2 })).toEqual(["ann's answer"]);
      expect(await texts(bob, path, { id: question, since_id: question })).toEqual(whole.slice(0, 2));
      expect(await texts(bob, path, { id: question, max_id: question })).toEqual(whole.slice(2));
    },
  );

  test("trap 43: statuses/show with conversation, and errors everywhere", async () => {
    expect(await texts(bob, `statuses/show/${await idFor(bob, "ann's answer")}`, { conversation: "true" })).toEqual(
      whole,
    );
    for (const path of [
      "conversation/show",
      "compat/conversation",
      "statusnet/conversation",
      "gnusocial/conversation",
    ]) {
      for (const [query, code, error] of [
        [{}, 400, "An id is missing."],
        [{ id: 987_654 }, 404, "There is no status with this id."],
      ] as const) {
        const { status, json } = await bob.get(`/api/${path}`, query);
        expect([path, status, json.error]).toEqual([path, code, error]);
        const xml = readXml(await bob.get(`/api/${path}.xml`, query));
        expect([xml.name, childrenOf(xml, "error")[0]!.text]).toEqual(["status", error]);
      }
    }
  });
});

describe("svc/activity", () => {
  test.each(["svc", "friendica", "1.1/svc", "1.1/friendica"])("%s, with and without a format", async (family) => {
    const id = await post(bob, `liked by ${family}`);
    expect((await ann.post(`/api/${family}/activity/like`, { id })).json).toBe("ok");
    const xml = readXml(await ann.post(`/api/${family}/activity/like.xml?id=${id}`));
    expect([xml.name, xml.text, xml.attributes]).toEqual(["ok", "true", {}]);
    expect((await bob.get(`/api/statuses/show/${id}`)).json).toMatchObject({
      favorite_count: 1,
      svc_activities: { like: [{ screen_name: "ann" }], dislike: [] },
    });
    expect((await ann.send("PUT", `/api/${family}/activity/unlike.json?id=${id}`)).json).toBe("ok");
    expect((await ann.post(`/api/${family}/activity/unlike`, { id })).json).toBe("ok");
    expect((await bob.get(`/api/statuses/show/${id}`)).json.favorite_count).toBe(0);
    const get = await ann.get(`/api/${family}/activity/like`, { id });
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST, PUT, OPTIONS"]);
    for (const [verb, form, error] of [
      ["like", {}, "Item id not found"],
      ["like", { id: 987_654 }, "Item id not found"],
      ["unlike", { id: 987_654 }, "Item id not found"],
      ["love", { id }, "Unknown activity verb"],
      ["ununlike", { id }, "Unknown activity verb"],
    ] as const) {
      const { status, json } = await ann.post(`/api/${family}/activity/${verb}`, form);
      expect([verb, status, json.error]).toEqual([verb, 400, error]);
    }
  });

  test("attending excludes the other answers; liking and disliking do not", async () => {
    const id = await post(bob, "not even an event");
    const activities = async () => (await bob.get(`/api/statuses/show/${id}`)).json.svc_activities;
    for (const verb of ["attendyes", "attendno", "attendmaybe"]) {
      await ann.post(`/api/svc/activity/${verb}`, { id });
      const found = Object.entries(await activities()).flatMap(([name, people]) =>
        (people as any[]).length ? [name] : [],
      );
      expect(found).toEqual([verb]);
    }
    for (const verb of ["like", "dislike", "unattendmaybe"]) await ann.post(`/api/svc/activity/${verb}`, { id });
    expect(await activities()).toMatchObject({ like: [{}], dislike: [{}], attendmaybe: [] });
  });
});
