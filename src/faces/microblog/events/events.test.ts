import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { befriend } from "../../../../test/support/people.ts";
import { createGroup, addMembers } from "../../../domain/groups/groups.ts";

/** The calls of Friendica's clients: calendar, dislikes, whoami (decision 31). */

let world: TestApp;
let ann: Person;
let bob: Person;
let carl: Person;

beforeAll(async () => {
  world = await openTestApp();
  ann = await world.person("ann", { timezone: "Europe/Berlin" });
  bob = await world.person("bob");
  carl = await world.person("carl");
  await befriend(world.hub, ann.channel, bob.channel);
  await befriend(world.hub, ann.channel, carl.channel);
});
afterAll(() => world.close());

const concert = { name: "Concert", start_time: "2026-07-01 20:00", place: "The old hall" };
const create = (fields: Record<string, unknown>, by = ann) => by.post("/api/svc/event_create.json", fields);
const events = async (by: Person, query = {}) => (await by.get("/api/friendica/events.json", query)).json;

describe("events", () => {
  test("are made on the clock of the channel, listed, changed and deleted", async () => {
    const made = await create({ ...concert, desc: "With [b]choir[/b]", end_time: "2026-07-01T22:30:00+02:00" });
    expect(made.status).toBe(200);
    const { event_id: id, event, success } = made.json;
    expect([success, event]).toEqual([
      true,
      {
        id,
        uid: ann.channel.channel_id,
        cid: ann.channel.xchan_id,
        uri: expect.stringMatching(/^[0-9a-f]{64}@hub\.example$/),
        name: "Concert",
        desc: expect.stringContaining("<strong>choir</strong>"),
        startTime: "2026-07-01 18:00:00",
        endTime: "2026-07-01 20:30:00",
        type: "event",
        nofinish: 0,
        place: "The old hall",
        adjust: 1,
        ignore: 0,
        allow_cid: `<${ann.channel.channel_hash}>`,
        allow_gid: "",
        deny_cid: "",
        deny_gid: "",
      },
    ]);
    const later = (await create({ name: "Rest", start_time: "2026-07-02" })).json.event_id;
    expect((await events(ann)).map((one: any) => one.id)).toEqual([id, later]);
    expect((await events(ann, { since_id: id })).map((one: any) => [one.id, one.nofinish])).toEqual([[later, 1]]);
    expect((await events(ann, { count: 1 })).map((one: any) => one.id)).toEqual([id]);
    expect(await events(bob)).toEqual([]);
    const changed = await create({ ...concert, id, name: "Rehearsal" });
    expect(changed.json.event).toMatchObject({ id, name: "Rehearsal", uri: event.uri });
    const gone = await ann.post("/api/friendica/event_delete.json", { id });
    expect([gone.status, gone.json.success, gone.json.event_id]).toEqual([200, true, id]);
    expect((await events(ann)).map((one: any) => one.id)).toEqual([later]);
  });

  test("in XML", async () => {
    const { text } = await ann.get("/api/svc/events.xml");
    expect(text).toMatch(/<events [^>]*><event><id>\d+<\/id>.*<name>Rest<\/name>.*<\/event><\/events>$/s);
  });

  test("are posted with publish alone, and never to more people than asked", async () => {
    const group = await createGroup(world.hub, ann.channel.channel_id, "Choir");
    await addMembers(world.hub, ann.channel.channel_id, group.id, [bob.channel.channel_hash]);
    await create({ ...concert, name: "Own", allow_gid: group.id });
    await create({ ...concert, name: "Choir only", allow_gid: group.id, publish: 1 });
    await create({ ...concert, name: "For all", publish: "true" });
    await world.work();
    const seen = async (by: Person) =>
      (await by.get("/api/statuses/home_timeline.json")).json.map((one: any) => one.svc_title).toSorted();
    expect(await seen(ann)).toEqual(["Choir only", "For all"]);
    expect(await seen(bob)).toEqual(["Choir only", "For all"]);
    expect(await seen(carl)).toEqual(["For all"]);
    expect((await events(ann)).find((one: any) => one.name === "Choir only")).toMatchObject({
      allow_cid: "",
      allow_gid: `<${group.hash}>`,
    });
  });

  test.each([
    ["no name", { start_time: "2026-07-01" }, 400, "event name not specified"],
    ["an empty name", { ...concert, name: " " }, 400, "event name not specified"],
    ["no beginning", { name: "x" }, 400, "startDate not specified"],
    ["a beginning that is none", { ...concert, start_time: "soon" }, 400, "This is not a date."],
    ["an end before the beginning", { ...concert, end_time: "2026-06-01" }, 400, "The end is before the beginning."],
    ["unknown people", { ...concert, allow_cid: "987654", publish: 1 }, 400, "acl data invalid"],
    ["an unknown event", { ...concert, id: 987_654 }, 404, "Not Found"],
  ])("are refused with %s", async (_, fields, status, error) => {
    expect(await create(fields)).toMatchObject({ status, json: { error, code: status } });
  });

  test("of others are there for nobody", async () => {
    const [{ id }] = await events(ann);
    expect(await create({ ...concert, id }, bob)).toMatchObject({ status: 404 });
    const refused = await bob.post("/api/svc/event_delete.json", { id });
    const unknown = await bob.post("/api/svc/event_delete.json", { id: 987_654 });
    expect([refused.status, refused.text]).toEqual([unknown.status, unknown.text]);
    expect(refused.status).toBe(404);
    expect((await world.anonymous.get("/api/svc/events.json")).status).toBe(401);
  });
});

describe("dislikes", () => {
  test("by the path of a status, under both names", async () => {
    const { id } = (await ann.post("/api/statuses/update.json", { status: "Rain again" })).json;
    await world.work();
    const theirs = (await bob.get("/api/statuses/home_timeline.json")).json[0].id;
    for (const _ of [1, 2]) {
      const disliked = await bob.post(`/api/friendica/statuses/${theirs}/dislike`);
      expect([disliked.status, disliked.json.id]).toEqual([200, theirs]);
    }
    await world.work();
    const by = await ann.get(`/api/svc/statuses/${id}/disliked_by.json`);
    expect([by.status, by.json.map((user: any) => user.screen_name)]).toEqual([200, ["bob"]]);
    expect((await ann.get(`/api/1.1/svc/statuses/${id}/disliked_by.xml`)).text).toContain(
      "<screen_name>bob</screen_name>",
    );
    const back = await bob.post(`/api/svc/statuses/${theirs}/undislike.json`);
    expect([back.status, back.json.svc_activities.dislike]).toEqual([200, []]);
    await world.work();
    expect((await ann.get(`/api/svc/statuses/${id}/disliked_by.json`)).json).toEqual([]);
  });

  test("what is not seen does not exist, and the path alone says which status", async () => {
    const { id } = (
      await ann.post("/api/statuses/update.json", { status: "Only me", contact_allow: ann.channel.xchan_id })
    ).json;
    for (const way of ["dislike", "undislike"]) {
      const refused = await bob.post(`/api/svc/statuses/${id}/${way}.json`, { id: 1 });
      const unknown = await bob.post(`/api/svc/statuses/987654/${way}.json`, { id: 1 });
      expect(refused.status).toBe(404);
      expect(refused.text.replaceAll(String(id), "ID")).toBe(unknown.text.replaceAll("987654", "ID"));
    }
    expect((await bob.get(`/api/svc/statuses/${id}/disliked_by`)).status).toBe(404);
    expect((await bob.post("/api/svc/statuses/x/dislike")).status).toBe(400);
    expect((await bob.get("/api/svc/statuses/1/dislike")).status).toBe(405);
    expect((await bob.post("/api/svc/statuses//dislike")).status).toBe(404);
  });
});

test.each(["whoami", "svc/whoami", "friendica/whoami"])("%s is the caller", async (name) => {
  const { json } = await bob.get(`/api/${name}.json`);
  expect(json).toEqual((await bob.get("/api/account/verify_credentials.json")).json);
  expect((await world.anonymous.get(`/api/${name}`)).status).toBe(401);
});
