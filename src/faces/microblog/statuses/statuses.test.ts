import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { childrenOf, readXml } from "../../../../test/support/microblog.ts";
import { befriend } from "../../../../test/support/people.ts";
import { statusObject } from "../../../../test/support/microblog-shapes.ts";

/** One status and what is done to it: microblog contract 8.3, 8.4, 8.5, 9.1. */

let world: TestApp;
let ann: Person;
let bob: Person;
let cara: Person;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob, cara] = [await world.person("ann"), await world.person("bob"), await world.person("cara")];
  await befriend(world.hub, ann.channel, bob.channel);
  await befriend(world.hub, ann.channel, cara.channel);
});
afterAll(() => world.close());

async function post(person: Person, status: string, more: Record<string, unknown> = {}): Promise<number> {
  const { json } = await person.post("/api/statuses/update", { status, ...more });
  await world.work();
  return json.id;
}

/** The id under which the person has that text in the own stream. */
async function idFor(person: Person, text: string): Promise<number> {
  const { json } = await person.get("/api/statuses/home_timeline", { count: 200 });
  return json.find((status: any) => status.text === text)?.id;
}

const texts = (json: any[]): string[] => json.map((status) => status.text);

/** A thread of ann's with an answer of bob's and one of cara's to that. */
async function thread(name: string): Promise<{ top: number; first: number; second: number }> {
  const top = await post(ann, name);
  await post(bob, `${name} first`, { in_reply_to_status_id: await idFor(bob, name) });
  await post(cara, `${name} second`, { in_reply_to_status_id: await idFor(cara, `${name} first`) });
  return { top, first: await idFor(ann, `${name} first`), second: await idFor(ann, `${name} second`) };
}

describe("statuses/show", () => {
  test("trap 31: the parent's id is of the same series and never the own one", async () => {
    const { top, first, second } = await thread("parents");
    const shown = async (id: number) => (await ann.get(`/api/statuses/show/${id}`)).json;
    expect((await shown(top)).in_reply_to_status_id).toBeNull();
    expect(await shown(first)).toMatchObject({
      in_reply_to_status_id: top,
      in_reply_to_screen_name: "ann",
      statusnet_conversation_id: top,
    });
    expect(await shown(second)).toMatchObject({
      in_reply_to_status_id: first,
      in_reply_to_screen_name: "bob",
      statusnet_conversation_id: top,
    });
  });

  test("an answer to what was deleted answers the thread's top: no id leads nowhere", async () => {
    const { top, first, second } = await thread("orphans");
    await bob.post(`/api/statuses/destroy/${await idFor(bob, "orphans first")}`);
    await world.work();
    expect((await ann.get(`/api/statuses/show/${first}`)).status).toBe(404);
    expect((await ann.get(`/api/statuses/show/${second}`)).json).toMatchObject({
      in_reply_to_status_id: top,
      in_reply_to_status_id_str: String(top),
      in_reply_to_screen_name: "ann",
      statusnet_conversation_id: top,
    });
  });

  test("by path or parameter, the path first; any copy leads to the caller's own", async () => {
    const top = await post(ann, "copies");
    const own = await idFor(bob, "copies");
    expect(own).not.toBe(top);
    for (const [path, query] of [
      [`show/${top}`, {}],
      [`show/${top}.json`, {}],
      ["show", { id: top }],
      [`show/${own}`, {}],
      [`show/${own}`, { id: 1 }],
    ] as const) {
      expect((await bob.get(`/api/statuses/${path}`, query)).json).toMatchObject({ id: own, text: "copies" });
    }
  });

  test("trap 43: with conversation the whole thread of any of its ids, without a suffix", async () => {
    const { top, first, second } = await thread("whole");
    for (const id of [top, first, second]) {
      const { json } = await ann.get(`/api/statuses/show/${id}`, { conversation: "true", count: 1 });
      expect(texts(json)).toEqual(["whole second", "whole first", "whole"]);
    }
    expect((await ann.get(`/api/statuses/show/${top}`, { conversation: "false" })).json.text).toBe("whole");
  });
});

describe("conversation", () => {
  test("the primary path answers direct answers only, dialects the whole thread with its top", async () => {
    const { top, first } = await thread("talk");
    for (const path of ["conversation/show", "compat/conversation"]) {
      expect(texts((await ann.get(`/api/${path}/${top}`)).json)).toEqual(["talk first"]);
      expect(texts((await ann.get(`/api/${path}.json`, { id: first })).json)).toEqual(["talk second"]);
    }
    for (const path of ["statusnet/conversation", "gnusocial/conversation", "1.1/statusnet/conversation"]) {
      for (const id of [top, first]) {
        expect(texts((await ann.get(`/api/${path}/${id}.json`)).json)).toEqual(["talk second", "talk first", "talk"]);
      }
      const paged = await ann.get(`/api/${path}/${top}`, { count: 2, page: 2 });
      expect(texts(paged.json)).toEqual(["talk"]);
    }
  });

  test("no answers are an empty list", async () => {
    const top = await post(ann, "alone");
    expect((await ann.get(`/api/conversation/show/${top}`)).text).toBe("[]");
    for (const page of [2, 4_294_967_296])
      expect((await ann.get(`/api/conversation/show/${top}`, { page })).text).toBe("[]");
    expect(readXml(await ann.get(`/api/conversation/show/${top}.xml`)).children).toEqual([]);
  });

  test("trap 38: ids of the public timeline are valid everywhere", async () => {
    await thread("public talk");
    const stranger = await world.person("stranger");
    const { json } = await stranger.get("/api/statuses/public_timeline");
    const comment = json.find((status: any) => status.text === "public talk second");
    expect(texts((await stranger.get(`/api/statusnet/conversation/${comment.id}`)).json)).toEqual([
      "public talk second",
      "public talk first",
      "public talk",
    ]);
    expect((await stranger.post(`/api/favorites/create/${comment.id}`)).json).toMatchObject({
      favorited: true,
      text: "public talk second",
    });
  });
});

describe("favorites", () => {
  test("stars are private and harmless to repeat (traps 41, 46)", async () => {
    const top = await post(ann, "star me");
    const own = await idFor(bob, "star me");
    for (const [method, path, query] of [
      ["POST", `create/${own}.json`, {}],
      ["PUT", "create", { id: own }],
      ["POST", `create/${top}`, {}],
    ] as const) {
      const { status, json } = await bob.send(method, `/api/favorites/${path}`, undefined, { query });
      expect([status, json.id, json.favorited, json.favorite_count]).toEqual([200, own, true, 0]);
    }
    expect(texts((await bob.get("/api/favorites")).json)).toEqual(["star me"]);
    expect((await ann.get(`/api/statuses/show/${top}`)).json.favorited).toBe(false);
    expect(texts((await ann.get("/api/favorites")).json)).toEqual([]);
    for (const method of ["DELETE", "POST"]) {
      expect((await bob.send(method, `/api/favorites/destroy/${own}`)).json).toMatchObject({
        id: own,
        favorited: false,
      });
    }
    expect((await bob.get("/api/favorites")).json).toEqual([]);
  });

  test("somebody else's star does not show on a copy that the caller looks at", async () => {
    const top = await post(ann, "ann's own star", { group_allow: "" });
    await ann.post(`/api/favorites/create/${top}`);
    const stranger = await world.person("stargazer");
    expect((await stranger.get(`/api/statuses/show/${top}`)).json).toMatchObject({ id: top, favorited: false });
    await ann.post(`/api/favorites/destroy/${top}`);
  });

  test("a named person empties the list; favorites/list accepts the caller", async () => {
    await ann.post(`/api/favorites/create/${await post(ann, "kept")}`);
    const me = ann.channel.xchan_id;
    for (const query of [{ user_id: me }, { screen_name: "ann" }, { user_id: "" }, { screen_name: "bob" }]) {
      expect((await ann.get("/api/favorites", query)).json).toEqual([]);
    }
    for (const query of [
      {},
      { user_id: me },
      { screen_name: "ann" },
      { user_id: me, screen_name: "ann@hub.example" },
    ]) {
      expect(texts((await ann.get("/api/favorites/list", query)).json)).toEqual(["kept"]);
    }
    for (const query of [
      { user_id: bob.channel.xchan_id },
      { screen_name: "bob" },
      { user_id: me, screen_name: "bob" },
    ]) {
      expect((await ann.get("/api/favorites/list", query)).json).toEqual([]);
    }
  });
});

describe("svc/activity", () => {
  const verbs = ["like", "dislike", "attendyes", "attendno", "attendmaybe"];
  const reactions = async (id: number): Promise<Record<string, string[]>> => {
    const { svc_activities } = (await bob.get(`/api/statuses/show/${id}`)).json;
    return Object.fromEntries(
      Object.entries(svc_activities).map(([verb, users]) => [verb, (users as any[]).map((user) => user.screen_name)]),
    );
  };
  const none = Object.fromEntries(verbs.map((verb) => [verb, []]));

  test.each(verbs)("%s is added once, and its un-verb takes it back, both as often as one likes", async (verb) => {
    const id = await post(ann, `react with ${verb}`);
    for (const family of ["svc", "friendica", "1.1/svc"]) {
      const { status, text } = await bob.post(`/api/${family}/activity/${verb}`, { id });
      expect([status, text]).toEqual([200, '"ok"']);
    }
    expect(await reactions(id)).toEqual({ ...none, [verb]: ["bob"] });
    for (const suffix of ["", ".json", ".xml"])
      expect((await bob.send("PUT", `/api/svc/activity/un${verb}${suffix}`, undefined, { query: { id } })).status).toBe(
        200,
      );
    expect(await reactions(id)).toEqual(none);
  });

  test("attend verbs exclude one another; like and dislike do not", async () => {
    const id = await post(ann, "an event");
    for (const verb of ["like", "dislike", "attendyes", "attendno"])
      await bob.post(`/api/svc/activity/${verb}`, { id });
    expect(await reactions(id)).toEqual({ ...none, like: ["bob"], dislike: ["bob"], attendno: ["bob"] });
  });

  test("it reaches the author", async () => {
    const id = await post(ann, "seen by ann");
    await bob.post("/api/svc/activity/like", { id });
    await world.work();
    expect((await ann.get(`/api/statuses/show/${id}`)).json).toMatchObject({
      favorite_count: 1,
      svc_activities: { like: [{ screen_name: "bob" }] },
    });
    expect(readXml(await bob.post("/api/svc/activity/like.xml", { id }))).toMatchObject({
      name: "ok",
      text: "true",
      attributes: {},
    });
  });

  test("reactions are no statuses", async () => {
    const id = await post(ann, "liked");
    await bob.post("/api/svc/activity/like", { id });
    const { json } = await bob.get("/api/statuses/show/" + id, { conversation: "1" });
    expect(texts(json)).toEqual(["liked"]);
    expect((await ann.get(`/api/statuses/show/${id}`)).json.svc_comments).toBe(0);
  });

  test("what fails is 400", async () => {
    const id = await post(ann, "an item");
    const cases: [string, Record<string, unknown>, string][] = [
      ["like", {}, "Item id not found"],
      ["like", { id: 0 }, "Item id not found"],
      ["like", { id: "x" }, "Item id not found"],
      ["unlike", { id: 999_999 }, "Item id not found"],
      ["love", { id }, "Unknown activity verb"],
      ["ununlike", { id }, "Unknown activity verb"],
      ["agree", { id }, "Unknown activity verb"],
    ];
    for (const [verb, form, error] of cases) {
      const { status, json } = await bob.post(`/api/svc/activity/${verb}`, form);
      expect([verb, status, json]).toEqual([verb, 400, { error, code: 400, request: `api/svc/activity/${verb}` }]);
    }
    expect((await bob.post("/api/svc/activity", { id })).json.error).toBe("Unknown activity verb");
  });

  test("where no reaction is permitted", async () => {
    const feed = await world.person("feed", { role: "soapbox" });
    const id = await post(feed, "applause not wanted");
    const { status, json } = await cara.post("/api/svc/activity/like", { id });
    expect([status, json.error]).toEqual([400, "Error adding activity"]);
  });

  test("GET must not change anything", async () => {
    const { status, headers } = await bob.get("/api/svc/activity/like", { id: 1 });
    expect([status, headers.get("allow")]).toEqual([405, "POST, PUT, OPTIONS"]);
  });
});

describe("statuses/destroy", () => {
  test("by the author: for everybody, with the thread, answered as it was (trap 57)", async () => {
    const { top } = await thread("to be deleted");
    const bobs = await idFor(bob, "to be deleted");
    const { status, json } = await ann.send("DELETE", `/api/statuses/destroy/${top}.json`);
    expect([status, json.id, json.text, json.svc_comments]).toEqual([200, top, "to be deleted", 2]);
    statusObject.parse(json);
    for (const [person, id] of [
      [ann, top],
      [bob, bobs],
      [cara, top],
    ] as const)
      expect((await person.get(`/api/statuses/show/${id}`)).status).toBe(404);
    expect(await idFor(bob, "to be deleted first")).toBeUndefined();
    expect((await ann.post(`/api/statuses/destroy/${top}`)).json.error).toBe("There is no status with this id.");
  });

  test("by the owner of the thread: the comment goes for everybody", async () => {
    const { top, first } = await thread("a tidy thread");
    expect((await ann.post("/api/statuses/destroy", { id: first })).json.text).toBe("a tidy thread first");
    expect(await idFor(bob, "a tidy thread first")).toBeUndefined();
    expect((await ann.get(`/api/statuses/show/${top}`)).status).toBe(200);
  });

  test("by anybody else: the own copy only", async () => {
    const top = await post(ann, "keep it");
    const own = await idFor(bob, "keep it");
    expect((await bob.post(`/api/statuses/destroy/${own}`)).json.id).toBe(own);
    expect(await idFor(bob, "keep it")).toBeUndefined();
    expect((await ann.get(`/api/statuses/show/${top}`)).status).toBe(200);
    const stranger = await world.person("visitor");
    expect((await stranger.post(`/api/statuses/destroy/${top}`)).status).toBe(403);
  });
});

describe("no id, and ids of nothing", () => {
  const endpoints: [method: string, path: string, noId: string, missing: string][] = [
    ["GET", "statuses/show", "An id is missing.", "There is no status with this id."],
    ["POST", "statuses/destroy", "An id is missing.", "There is no status with this id."],
    ["GET", "conversation/show", "An id is missing.", "There is no status with this id."],
    ["GET", "statusnet/conversation", "An id is missing.", "There is no status with this id."],
    ["POST", "favorites/create", "Item id not specified", "Invalid item."],
    ["DELETE", "favorites/destroy", "Item id not specified", "Invalid item."],
  ];

  test.each(endpoints)("%s %s", async (method, path, noId, nothing) => {
    for (const id of ["", "0", "abc", "-1", undefined]) {
      const { status, json } = await ann.send(method, `/api/${path}.json`, undefined, {
        query: id === undefined ? {} : { id },
      });
      expect([id, status, json]).toEqual([id, 400, { error: noId, code: 400, request: `api/${path}.json` }]);
    }
    for (const id of ["999999", "9".repeat(16), "9".repeat(40)]) {
      const { status, json } = await ann.send(method, `/api/${path}/${id}.json`);
      expect([id, status, json]).toEqual([id, 404, { error: nothing, code: 404, request: `api/${path}/${id}.json` }]);
      const xml = readXml(await ann.send(method, `/api/${path}/${id}.xml`));
      expect([xml.name, childrenOf(xml, "error")[0]!.text, childrenOf(xml, "code")[0]!.text]).toEqual([
        "status",
        nothing,
        "404",
      ]);
    }
  });
});
