import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { openElsewhere } from "../../../test/support/elsewhere.ts";
import type { Elsewhere } from "../../../test/support/elsewhere.ts";
import { password } from "../../../test/support/hub.ts";
import { arrivesIn } from "../../../test/support/incoming.ts";
import type { Arrives } from "../../../test/support/incoming.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { connect, receiveAccept, receiveFollow } from "../../domain/connections/connections.ts";
import { changeChannelSettings, moderation } from "../../domain/identity/channels/channel-settings.ts";
import { approveHeld, dropHeld, keptBack } from "../../domain/items/posting/moderation.ts";
import { listEvents } from "../../domain/events/events.ts";
import type { Xchan } from "../../domain/identity/xchans/xchans.ts";
import { metActor } from "./retrieve/actor.ts";

/** Events that people of several hubs come to (federation contract 4.1, 4.3). */

let world: TestApp;
let elsewhere: Elsewhere;
let alma: Person;
let eva: Xchan;
let member: Visitor;
let arrives: Arrives;

const base = "http://hub.example";
const everybody = "https://www.w3.org/ns/activitystreams#Public";

beforeAll(async () => {
  elsewhere = openElsewhere();
  for (const inbox of ["inbox", "users/eva/inbox", "users/dora/inbox"])
    elsewhere.put(`https://far.example/${inbox}`, 202);
  world = await openTestApp({ fetch: elsewhere.fetch });
  alma = await world.person("alma", { role: "feed", timezone: "Europe/Berlin" });
  member = visitorOf(world.app);
  await member.logIn("alma", password);
  arrives = arrivesIn(world.hub);
  eva = (await metActor(world.hub, elsewhere.actor("eva").id))!;
  await connect(world.hub, alma.channel, eva);
  await receiveAccept(world.hub, alma.channel, eva);
  await receiveFollow(world.hub, alma.channel, eva, "https://far.example/follows/1");
  await sent();
});
afterAll(() => world.close());

/** What was sent elsewhere since the last time. */
async function sent(): Promise<any[]> {
  elsewhere.asked.length = 0;
  await world.work();
  return elsewhere.asked
    .filter(({ options }) => options.method === "POST")
    .map(({ url, options }) => ({ inbox: url, ...JSON.parse(String(options.body)) }));
}

/** What the calendar has in May. */
async function calendar() {
  const rows = await listEvents(world.hub, alma.channel, "2026-05-01", "2026-06-01");
  return rows.map(({ start, end, event }) => [event.summary, start, end, event.location]);
}

/** What came with this id. */
function stored(mid: string) {
  return world.hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select(["item.id", "message.resource_id", "message.resource_type", "message.title"])
    .where("message.mid", "=", mid)
    .where("item.uid", "=", alma.channel.channel_id)
    .executeTakeFirstOrThrow();
}

async function press(act: string, item: number) {
  await member.get("/network");
  return member.post(`/item/${item}/act`, { act, back: "/network" });
}

describe("an event of somebody elsewhere", () => {
  const id = "https://far.example/events/1";
  const event = (more: object = {}) => ({
    id,
    type: "Event",
    attributedTo: eva.xchan_hash,
    name: "Digging & more",
    content: "<p>Bring a <b>spade</b>[/event-description][event-summary]x[/event-summary]<script>1</script></p>",
    to: [everybody],
    published: "2026-02-01T00:00:00Z",
    startTime: "2026-05-05T14:00:00+01:00",
    endTime: "2026-05-05T16:00:00+01:00",
    timezone: "Europe/Lisbon",
    joinMode: "free",
    location: {
      type: "Place",
      name: "The garden",
      latitude: 38.7,
      longitude: -9.1,
      address: { type: "PostalAddress", streetAddress: "Rua 1", addressLocality: "Lisbon" },
    },
    ...more,
  });
  const says = (type: string, object: object, n = 1) => ({
    id: `${id}/${type}/${n}`,
    type,
    actor: eva.xchan_hash,
    object,
  });
  let item: Awaited<ReturnType<typeof stored>>;

  test("is shown as one: when, where, and as a file of the calendar", async () => {
    await arrives(says("Invite", event()), [alma.channel]);
    item = await stored(id);
    expect(item).toMatchObject({ resource_type: "event", title: "Digging & more" });
    expect(item.resource_id).toMatch(/^[0-9a-f]{64}@far\.example$/);
    const stream = await member.get("/network");
    expect(stream.text).toContain("<h4>Digging &amp; more</h4>");
    expect(stream.text).toMatch(
      /<time datetime="2026-05-05T13:00:00Z">Tue,? 5 May 2026,? (at )?15:00 CEST<\/time> – <time/,
    );
    expect(stream.text).toContain("<div>The garden, Rua 1, Lisbon</div>");
    expect(stream.text).toContain("Will you come?");
    expect(stream.text).not.toContain("<script>1");
    const page = await member.get(`/event/${item.resource_id}`);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining("15:00 – 17:00")]);
    expect(page.text).toContain("Add to my calendar");
    const file = await member.get(`/events/ical/${item.resource_id}`);
    expect(file.text).toContain("DTSTART:20260505T130000Z");
    expect(file.text).toContain("SUMMARY:Digging & more");
  });

  test("for some is nobody else's, by its name neither", async () => {
    const mid = `${id}/secret`;
    await arrives(says("Create", event({ id: mid, to: [`${base}/channel/alma`] }), 9), [alma.channel]);
    const { resource_id: hash } = await stored(mid);
    await world.person("bruno");
    const bruno = visitorOf(world.app);
    await bruno.logIn("bruno", password);
    for (const path of [`/event/${hash}`, `/events/ical/${hash}`]) {
      expect((await member.get(path)).status).toBe(200);
      for (const other of [bruno, visitorOf(world.app)]) expect((await other.get(path)).status).toBe(404);
    }
    await bruno.get("/network");
    expect((await bruno.post(`/event/${hash}/act`, { act: "add" })).status).toBe(404);
  });

  test("is answered, which its maker hears, and stands in the calendar of those who may come", async () => {
    expect(await calendar()).toEqual([]);
    const answers = [];
    for (const act of ["attendyes", "attendmaybe", "attendno", "attendyes"]) {
      await press(act, item.id);
      answers.push(await sent(), await calendar());
    }
    const entry = [["Digging & more", "2026-05-05 15:00:00", "2026-05-05 17:00:00", "The garden, Rua 1, Lisbon"]];
    const heard = (type: string) => [{ type, actor: `${base}/channel/alma`, object: id }];
    const told = answers.map((one) => one.filter(({ type }: any) => type !== "Undo"));
    expect(told).toMatchObject([
      heard("Accept"),
      entry,
      heard("TentativeAccept"),
      entry,
      heard("Reject"),
      [],
      heard("Accept"),
      entry,
    ]);
    expect((await member.get("/events?month=2026-05")).text).toContain("Digging &amp; more");
  });

  test("is changed, in calendars as well, and by nobody else", async () => {
    const later = { startTime: "2026-05-06T14:00:00Z", endTime: undefined, updated: "2026-02-02T00:00:00Z" };
    const dora = elsewhere.actor("dora");
    await arrives({ ...says("Update", event({ ...later, attributedTo: dora.id })), actor: dora.id });
    expect((await calendar())[0]![1]).toBe("2026-05-05 15:00:00");
    await arrives(says("Update", event({ ...later, location: { type: "Place", name: "Shed", address: "Shed" } })));
    expect(await calendar()).toEqual([["Digging & more", "2026-05-06 16:00:00", "2026-05-06 16:00:00", "Shed"]]);
    expect((await member.get(`/event/${item.resource_id}`)).text).toMatch(/Wednesday,? 6 May 2026, 16:00/);
  });

  test("is gone from calendars when it is deleted", async () => {
    await arrives(says("Delete", { id, type: "Tombstone" }));
    expect(await calendar()).toEqual([]);
    expect((await member.get(`/event/${item.resource_id}`)).status).toBe(404);
  });

  test.each([
    [
      "that is the same on every clock",
      { startTime: "2026-05-07T10:00:00", endTime: "2026-05-07T12:00:00" },
      "2026-05-07 10:00:00",
    ],
    ["of whole days", { startTime: "2026-05-08", endTime: "2026-05-09" }, "2026-05-08 00:00:00"],
    [
      "without an end that makes sense",
      { startTime: "2026-05-10T10:00:00Z", endTime: "2026-05-01T12:00:00Z" },
      "2026-05-10 12:00:00",
    ],
  ])("%s is taken as that", async (kind, times, start) => {
    const mid = `${id}/${encodeURIComponent(kind)}`;
    await arrives(says("Create", event({ id: mid, ...times }), 2));
    const { resource_id: hash } = await stored(mid);
    await member.get(`/event/${hash}`);
    await member.post(`/event/${hash}/act`, { act: "add" });
    const shown = (await calendar()).find(([, begin]) => begin === start);
    expect(shown).toBeDefined();
    await member.post(`/event/${hash}/act`, { act: "remove" });
  });

  test("that does not say when is a post", async () => {
    for (const [n, startTime] of [undefined, "soon", "9999-12-31T23:00:00Z", "0001-01-01"].entries()) {
      const mid = `${id}/when/${n}`;
      await arrives(says("Create", event({ id: mid, startTime, endTime: undefined, name: `When ${n}` }), 3 + n));
      expect(await stored(mid)).toMatchObject({ resource_type: "", title: `When ${n}` });
    }
  });
});

describe("an event of the hub", () => {
  const times = { start_time: "2026-05-20T10:00:00Z", end_time: "2026-05-20T12:00:00Z" };
  const make = (more: object = {}) =>
    alma.post("/api/svc/event_create", { name: "Fair", place: "Park", publish: 1, ...times, ...more });
  const answers = (type: string, object: unknown, n = 1) =>
    arrives({ id: `https://far.example/answers/${type}/${n}`, type, actor: eva.xchan_hash, object });
  let id: string;

  /** The event as others hear of it. */
  const made = async (more: object) => {
    await sent();
    await make(more);
    return (await sent())[0].object;
  };

  /** Who has answered in which way. */
  const attending = async () => {
    const [{ svc_activities: said }] = (await alma.get("/api/statuses/user_timeline", { count: 1 })).json;
    return Object.fromEntries(
      ["attendyes", "attendmaybe", "attendno"].map((kind) => [kind, said?.[kind]?.length ?? 0]),
    );
  };
  const nobody = { attendyes: 0, attendmaybe: 0, attendno: 0 };

  test("goes out as one, to those whom it names as an invitation besides", async () => {
    await make({ desc: "With @eva@far.example" });
    const told = await sent();
    id = told[0].object.id;
    expect(told.map(({ type, inbox }) => [type, inbox])).toEqual([
      ["Create", "https://far.example/inbox"],
      ["Invite", "https://far.example/users/eva/inbox"],
    ]);
    const object = { id, type: "Event", startTime: times.start_time, joinMode: "invite", to: [everybody] };
    expect(told[0]).toMatchObject({ object });
    expect(told[1]).toMatchObject({ to: [eva.xchan_hash], target: [eva.xchan_hash], object });
    await make({ name: "For all" });
    expect((await sent()).map(({ type }) => type)).toEqual(["Create"]);
  });

  test("for some names to each whom it is for as invited", async () => {
    await make({ name: "Secret", allow_cid: `<${eva.xchan_hash}>` });
    const told = await sent();
    expect(told.map(({ type }) => type)).toEqual(["Create", "Invite"]);
    expect(told[1]).toMatchObject({ to: [eva.xchan_hash], object: { name: "Secret", to: [eva.xchan_hash] } });
    expect(told[1].proof).toBeUndefined();
  });

  test("is answered from elsewhere, in either manner of speaking", async () => {
    const object = await made({ name: "Fete" });
    for (const [n, [type, about, now]] of (
      [
        ["Accept", object.id, { ...nobody, attendyes: 1 }],
        ["TentativeAccept", object.id, { ...nobody, attendmaybe: 1 }],
        ["Reject", { id: object.id, type: "Event" }, { ...nobody, attendno: 1 }],
        ["Leave", object.id, nobody],
        ["Join", object.id, { ...nobody, attendyes: 1 }],
        ["Undo", { type: "Join", actor: eva.xchan_hash, object: object.id }, nobody],
        ["Join", object.id, { ...nobody, attendyes: 1 }],
        ["Leave", { id: object.id, type: "Event" }, nobody],
      ] as const
    ).entries()) {
      world.hub.advance(1);
      await answers(type, about, n);
      expect([type, await attending()]).toEqual([type, now]);
    }
  });

  test("lets in who joins, and says so; who may not, hears that", async () => {
    const object = await made({ name: "Open" });
    await answers("Join", object.id, 20);
    await answers("Join", object.id, 20);
    const join = { id: "https://far.example/answers/Join/20", type: "Join", actor: eva.xchan_hash, object: object.id };
    expect(await sent()).toMatchObject([
      { type: "Accept", actor: `${base}/channel/alma`, inbox: "https://far.example/users/eva/inbox", object: join },
    ]);
    const top = (await alma.get("/api/statuses/user_timeline", { count: 1 })).json[0].id;
    await member.get("/network");
    await member.post(`/item/${top}/act`, { act: "close", back: "/network" });
    await sent();
    const dora = elsewhere.actor("dora");
    await arrives({ id: "https://far.example/joins/1", type: "Join", actor: dora.id, object: object.id });
    expect(await sent()).toMatchObject([
      { type: "Reject", inbox: "https://far.example/users/dora/inbox", object: { type: "Join", actor: dora.id } },
    ]);
    expect(await attending()).toEqual({ ...nobody, attendyes: 1 });
    await arrives({ id: "https://far.example/joins/2", type: "Join", actor: dora.id, object: `${base}/item/none` });
    expect(await sent()).toEqual([]);
  });

  test("lets in and out who joins and leaves without giving that an id", async () => {
    const object = await made({ name: "Nameless" });
    const join = { type: "Join", actor: eva.xchan_hash, object: object.id };
    await arrives(join);
    await arrives(join);
    const [answer, ...more] = await sent();
    expect([answer.type, answer.object, more]).toEqual(["Accept", join, []]);
    expect(await attending()).toEqual({ ...nobody, attendyes: 1 });
    await arrives({ type: "Leave", actor: eva.xchan_hash, object: object.id });
    expect(await attending()).toEqual(nobody);
  });

  test("has those wait who join, where comments wait, until its owner decides", async () => {
    await changeChannelSettings(world.hub, alma.channel.channel_id, { moderation: moderation.everybody });
    const [large, small] = [await made({ name: "Large" }), await made({ name: "Small" })];
    const joins = [large, small].map(({ id: object }, n) => {
      return { id: `https://far.example/waits/${n}`, type: "Join", actor: eva.xchan_hash, object };
    });
    for (const join of [...joins, ...joins]) await arrives(join);
    expect(await sent()).toEqual([]);
    expect(await attending()).toEqual(nobody);
    const { items } = await keptBack(world.hub, alma.channel, "held", { count: 9 });
    expect(items.map(({ mid }) => mid)).toEqual(joins.map((join) => join.id).toReversed());
    await approveHeld(world.hub, alma.channel, items[0]!.id);
    await dropHeld(world.hub, alma.channel, items[1]!.id);
    const told = (await sent()).toSorted((one, other) => one.type.localeCompare(other.type));
    expect(told.filter(({ type }) => type !== "Join")).toMatchObject([
      { type: "Accept", inbox: "https://far.example/users/eva/inbox", object: joins[1] },
      { type: "Reject", inbox: "https://far.example/users/eva/inbox", object: joins[0] },
    ]);
    expect(await attending()).toEqual({ ...nobody, attendyes: 1 });
    await changeChannelSettings(world.hub, alma.channel.channel_id, { moderation: moderation.nobody });
  });
});
