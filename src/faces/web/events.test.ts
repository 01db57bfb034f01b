import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { TestApp } from "../../../test/support/app.ts";
import { clientOf } from "../../../test/support/client.ts";
import { password } from "../../../test/support/hub.ts";
import { befriend, mark, nobody } from "../../../test/support/people.ts";
import { visitorOf, withoutTokens } from "../../../test/support/visitor.ts";
import type { VisitedPage, Visitor } from "../../../test/support/visitor.ts";
import { setAccountFlag } from "../../domain/identity/accounts/accounts.ts";
import { endAccess } from "../../domain/identity/accounts/end-access.ts";
import { saveEvent } from "../../domain/events/events.ts";
import type { CalendarEvent } from "../../domain/events/events.ts";
import type { Channel } from "../../domain/identity/channels/channel.ts";
import { findGroup, addMembers } from "../../domain/groups/groups.ts";
import { updateChannel } from "../../domain/identity/channels/channels.ts";

let world: TestApp;
let alice: Visitor;
let bob: Visitor;
let carol: Visitor;
let dora: Visitor;
let stranger: Visitor;
const channels: Record<string, Channel> = {};

beforeAll(async () => {
  world = await openTestApp();
  for (const nick of ["alice", "bob", "carol", "dora", "stranger"])
    channels[nick] = (await world.person(nick, { timezone: nick === "alice" ? "Europe/Berlin" : "UTC" })).channel;
  for (const nick of ["bob", "carol", "dora"]) await befriend(world.hub, channels["alice"]!, channels[nick]!);
  await mark(world.hub, channels["alice"]!, channels["dora"]!, { blocked: true });
  [alice, bob, carol, dora, stranger] = (await Promise.all(
    ["alice", "bob", "carol", "dora", "stranger"].map(async (nick) => {
      const visitor = visitorOf(world.app);
      await visitor.logIn(nick, password);
      return visitor;
    }),
  )) as [Visitor, Visitor, Visitor, Visitor, Visitor];
});
afterAll(() => world.close());

const form = {
  etype: "event",
  summary: "Garden party",
  start_date: "2026-03-20",
  start_time: "19:00",
  end_date: "",
  end_time: "23:00",
  location: "Behind the house",
  description: "Bring [b]cake[/b]",
  repeat: "",
};

async function post(visitor: Visitor, page: string, fields: Record<string, string>, path = page): Promise<VisitedPage> {
  await visitor.get(page);
  return visitor.post(path, fields);
}

describe("the calendar in a browser", () => {
  let path: string;

  test("takes a new event, in the time of the member", async () => {
    const made = await post(alice, "/events/new?date=2026-03-20", { ...form, audience: "public" }, "/events/new");
    expect(made.status).toBe(303);
    path = made.location.split("?")[0]!;
    const page = await alice.get(path);
    expect(page.text).toContain("Friday, 20 March 2026, 19:00 – 23:00");
    expect(page.text).toContain("Europe/Berlin time");
    expect(page.text).toContain(">Fri, 20 Mar 2026, 19:00 CET</time>");
    expect(page.text).toContain("Will you come?");
    const month = await alice.get("/events?month=2026-03");
    expect(month.text).toContain("March 2026");
    expect(month.text).toContain("Garden party");
    expect((await alice.get("/events?month=2026-04")).text).not.toContain("Garden party");
  });

  test("shows it to others in theirs, with its thread", async () => {
    await world.work();
    const page = await bob.get(path);
    expect(page.text).toContain("Friday, 20 March 2026, 18:00 – 22:00");
    expect(page.text).toContain("Add to my calendar");
    const commented = await bob.post(path, { body: "I bring tea" });
    expect(commented.status).toBe(303);
    await world.work();
    expect((await alice.get(path)).text).toContain("I bring tea");
    const nobody = await visitorOf(world.app).get(path);
    expect(nobody.status).toBe(200);
    expect(nobody.text).toContain("Log in</a> to comment");
    expect(nobody.text).toContain("UTC time");
    expect(nobody.text).toContain(">Fri, 20 Mar 2026, 18:00 UTC</time>");
  });

  test("lets others note it, hide it and take it out again", async () => {
    expect((await post(bob, path, { act: "add" }, `${path}/act`)).status).toBe(303);
    expect((await bob.get("/events?month=2026-03")).text).toContain("Garden party");
    await post(bob, path, { act: "dismiss" }, `${path}/act`);
    expect((await bob.get("/events?month=2026-03")).text).not.toContain("Garden party");
    expect((await bob.get(path)).text).toContain("Show in my calendar");
    await post(bob, path, { act: "restore" }, `${path}/act`);
    expect((await post(bob, path, { act: "remove" }, `${path}/act`)).location).toContain("/events");
    expect((await bob.get("/events?month=2026-03")).text).not.toContain("Garden party");
    expect((await bob.get(`${path}/edit`)).status).toBe(404);
    expect((await post(bob, path, {}, `${path}/delete`)).status).toBe(404);
  });

  test("edits with what is there, and the post follows", async () => {
    const edit = await alice.get(`${path}/edit`);
    expect(edit.text).toContain('value="19:00"');
    expect(edit.text).not.toContain('name="audience"');
    const saved = await alice.post(`${path}/edit`, {
      ...form,
      summary: "Garden feast",
      start_time: "20:00",
      repeat: "WEEKLY",
      until: "2026-03-27",
    });
    expect(saved.status).toBe(303);
    const page = await bob.get(path);
    expect(page.text).toContain("Garden feast");
    expect(page.text).toContain("Every week until 2026-03-27");
    expect(page.text).toContain("Friday, 20 March 2026, 19:00");
  });

  test("gives a calendar file", async () => {
    const file = await bob.get(path.replace("/event/", "/events/ical/"));
    expect(file.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
    expect(file.headers.get("content-disposition")).toContain("attachment");
    expect(file.text).toContain("SUMMARY:Garden feast");
    expect((await alice.get("/events/ical")).text).toContain("SUMMARY:Garden feast");
    expect((await bob.get("/events/ical")).text).not.toContain("SUMMARY");
  });

  test("deletes it for everybody", async () => {
    expect((await alice.get(`${path}/delete`)).text).toContain("for everybody");
    expect((await alice.post(`${path}/delete`, {})).status).toBe(303);
    for (const visitor of [alice, bob, visitorOf(world.app)]) expect((await visitor.get(path)).status).toBe(404);
  });

  test.each([
    [{ summary: "" }, "An event needs a title."],
    [{ start_date: "" }, "Say on which day it begins."],
    [{ start_date: "2026-02-31" }, "This is not a day."],
    [{ start_time: "25:00" }, "This is not a time."],
    [{ end_date: "2026-03-21", end_time: "" }, "Say at what time it ends."],
    [{ end_time: "18:00" }, "The end is before the beginning."],
    [{ audience: "chosen" }, "Choose at least one group or person."],
    [{ audience: "" }, "Choose who may see this."],
  ])("says what is wrong with %j", async (wrong, sentence) => {
    const answer = await post(alice, "/events/new", { ...form, audience: "self", ...wrong });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(sentence);
    expect(answer.text).toContain("Behind the house");
  });

  test("whole days, tasks and the zones of others", async () => {
    const day = { ...form, start_time: "", end_time: "", end_date: "2026-03-22", audience: "self" };
    const made = await post(alice, "/events/new", { ...day, summary: "Fair" });
    expect((await alice.get(made.location)).text).toContain("Friday, 20 March 2026 – Sunday, 22 March 2026");
    const task = { ...form, etype: "task", summary: "Tax", status: "IN-PROCESS", percent: "30", audience: "self" };
    const made2 = await post(alice, "/events/new", task);
    expect((await alice.get(made2.location)).text).toContain("Task: Under way, 30 %");
    const wall = { ...form, everywhere: "1", summary: "Midnight", audience: "self" };
    const made3 = await post(alice, "/events/new", wall);
    const { channel_id } = channels["alice"]!;
    await updateChannel(world.hub, channel_id, { timezone: "Asia/Tokyo" });
    expect((await alice.get(made3.location)).text).toContain("Friday, 20 March 2026, 19:00 – 23:00");
    await updateChannel(world.hub, channel_id, { timezone: "Europe/Berlin" });
  });

  test("reads a calendar file, and says so when it is none", async () => {
    const text =
      "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:7\r\nSUMMARY:From a file\r\nDTSTART:20260310T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
    await carol.get("/events/import");
    const read = await carol.post("/events/import", { file: new File([text], "a.ics", { type: "text/calendar" }) });
    expect(read.status).toBe(200);
    expect(read.text).toContain("The file is read");
    expect((await carol.get("/events?month=2026-03")).text).toContain("From a file");
    await carol.get("/events/import");
    const wrong = await carol.post("/events/import", { file: new File(["hello"], "a.ics") });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain("This is not a calendar file.");
    const none = await carol.post("/events/import", { file: "" });
    expect(none.status).toBe(422);
  });

  test("is for members", async () => {
    for (const page of ["/events", "/events/new", "/events/import", "/events/ical"])
      expect((await visitorOf(world.app).get(page)).location).toContain("/login");
  });

  test("a post of type event through the API is the same event", async () => {
    const client = clientOf(world.app, `bob:${password}`);
    const body =
      "[event-summary]Picnic[/event-summary][event-start]2026-03-22 10:00:00[/event-start][event-adjust]1[/event-adjust]";
    const { json } = await client.post("/api/z/1.0/item/update", { body, obj_type: "event" });
    expect(json.item).toMatchObject({ resource_type: "event", title: "Picnic" });
    expect(JSON.parse(json.item.attach)).toMatchObject([{ type: "text/calendar" }]);
    expect((await bob.get("/events?month=2026-03")).text).toContain("Picnic");
    const edited = json.item.body.replace("Picnic", "Long picnic");
    await client.post("/api/z/1.0/item/update", { body: edited, post_id: json.item_id });
    expect((await bob.get("/events?month=2026-03")).text).toContain("Long picnic");
    expect((await bob.get(`/item/${json.item_id}/edit`)).location).toMatch(/^\/event\/.*\/edit$/);
    const full = await client.get("/api/z/1.0/item/full", { item_id: json.item_id });
    expect(full.json.item[0].attach).toMatchObject([{ type: "text/calendar" }]);
    await client.post("/api/statuses/destroy", { id: json.item_id });
    expect((await bob.get("/events?month=2026-03")).text).not.toContain("Long picnic");
  });

  test("shows weeks, and lists of what is to come", async () => {
    await post(carol, "/events/new", {
      ...form,
      summary: "Harvest",
      start_date: "2026-09-06",
      end_date: "2026-09-08",
      audience: "self",
    });
    await post(carol, "/events/new", { ...form, summary: "Pressing", start_date: "2026-10-20", audience: "self" });
    const week = (await carol.get("/events?week=2026-09-10")).text;
    expect(week).toContain("<h1>Week of 7 September 2026</h1>");
    expect(week).toMatch(/<h2>Monday, 7 September 2026<\/h2>[^]*Harvest/);
    expect(week).not.toContain("Pressing");
    for (const way of ["2026-08-31", "2026-09-14"]) expect(week).toContain(`href="/events?week=${way}"`);
    expect((await carol.get("/events?week=2026-09-14")).text).not.toContain("Harvest");
    // The table of August ends with the week of the first of September, and so does the list below it.
    expect((await carol.get("/events?month=2026-08")).text).toMatch(/<h2>Sunday, 6 September 2026<\/h2>[^]*Harvest/);
    const list = (await carol.get("/events?from=2026-09-08")).text;
    expect(list).toMatch(
      /<h2>Tuesday, 8 September 2026<\/h2>[^]*Harvest[^]*<h2>Tuesday, 20 October 2026<\/h2>[^]*Pressing/,
    );
    expect(list).not.toContain('<table class="calendar');
    for (const way of ["2026-07-14", "2026-11-03"]) expect(list).toContain(`href="/events?from=${way}"`);
  });

  test("survives odd months", async () => {
    for (const odd of ["week=2026-02-31", "week=x", "from=", "from=9999-12-31", "week=1000-01-01&month=x"])
      expect((await alice.get(`/events?${odd}`)).status).toBe(200);
    for (const month of ["9999-12", "0000-01", "2026-13", "x", "1000-01"])
      expect((await alice.get(`/events?month=${month}`)).status).toBe(200);
  });
});

describe("the secret address of a calendar", () => {
  let emil: Visitor;
  let account: number;

  beforeAll(async () => {
    account = (await world.person("emil")).channel.channel_account_id;
    emil = visitorOf(world.app);
    await emil.logIn("emil", password);
  });

  const address = async (visitor: Visitor): Promise<string> => {
    const { text } = await visitor.get("/events/subscribe");
    return /value="http:\/\/hub\.example(\/events\/of\/[^"]*)"/.exec(text)?.[1] ?? "";
  };
  const anybody = () => visitorOf(world.app);

  test("is there when it is wanted, and lets programs read all of that calendar and no other", async () => {
    await post(emil, "/events/new", { ...form, summary: "The surprise", audience: "self" });
    expect(await address(emil)).toBe("");
    await emil.post("/events/subscribe", { do: "renew" });
    const path = await address(emil);
    expect(path).toMatch(/^\/events\/of\/emil\/[\w-]{43}$/);
    const file = await anybody().get(path);
    expect(file.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
    expect(file.headers.get("cache-control")).toMatch(/no-store|private/);
    expect(file.text).toContain("SUMMARY:The surprise");
    expect(file.text).not.toContain("Garden");
    const unknown = await anybody().get("/events/of/emil/x");
    for (const wrong of [
      path.replace("emil", "alice"),
      `${path}x`,
      path.slice(0, -1),
      path.replace("emil", "nobody"),
    ]) {
      const answer = await anybody().get(wrong);
      expect([answer.status, withoutTokens(answer.text).replaceAll(wrong, "")]).toEqual([
        404,
        withoutTokens(unknown.text).replaceAll("/events/of/emil/x", ""),
      ]);
    }
  });

  test("ends with another one, when it is not wanted, and with the password", async () => {
    const first = await address(emil);
    await emil.post("/events/subscribe", { do: "renew" });
    const second = await address(emil);
    expect((await anybody().get(first)).status).toBe(404);
    expect((await anybody().get(second)).status).toBe(200);
    await emil.post("/events/subscribe", { do: "end" });
    expect((await anybody().get(second)).status).toBe(404);
    expect(await address(emil)).toBe("");
    await emil.post("/events/subscribe", { do: "renew" });
    const third = await address(emil);
    await endAccess(world.hub, account, ["sessions", "guests"]);
    expect((await anybody().get(third)).status).toBe(200);
    await setAccountFlag(world.hub, account, "blocked", true);
    expect((await anybody().get(third)).status).toBe(404);
    await setAccountFlag(world.hub, account, "blocked", false);
    await endAccess(world.hub, account, ["sessions"]);
    expect((await anybody().get(third)).status).toBe(404);
  });
});

describe("privacy", () => {
  const never = `${"0".repeat(64)}@hub.example`;
  let shared: CalendarEvent;
  let own: CalendarEvent;
  let connections: CalendarEvent;
  let open: CalendarEvent;

  beforeAll(async () => {
    const { hub } = world;
    const maker = channels["alice"]!;
    const friends = await findGroup(hub, maker.channel_id, { name: "Friends" });
    await hub.db.deleteFrom("pgrp_member").where("gid", "=", friends!.id).execute();
    await addMembers(hub, maker.channel_id, friends!.id, [channels["bob"]!.channel_hash]);
    const draft = { summary: "Secret supper", dtstart: "2026-03-25 18:00:00" };
    shared = await saveEvent(hub, maker, { ...draft, share: { audience: { ...nobody, allow_gid: [friends!.hash] } } });
    own = await saveEvent(hub, maker, draft);
    connections = await saveEvent(hub, maker, { ...draft, share: { audience: nobody, publicPolicy: "contacts" } });
    open = await saveEvent(hub, maker, { ...draft, share: { audience: nobody } });
    await world.work();
  });

  function withoutNames(shown: VisitedPage, hash: string): string {
    return withoutTokens(shown.text)
      .replaceAll(encodeURIComponent(hash), "X")
      .replaceAll(encodeURIComponent(encodeURIComponent(hash)), "X")
      .replaceAll(hash, "X");
  }

  /** What each visitor gets of an event they may not see is what they get of one that never was. */
  async function expectNothing(visitor: Visitor, hash: string): Promise<void> {
    const doors = [
      (name: string) => visitor.get(`/event/${encodeURIComponent(name)}`),
      (name: string) => visitor.get(`/events/ical/${encodeURIComponent(name)}`),
      (name: string) => visitor.get(`/event/${encodeURIComponent(name)}/edit`),
      (name: string) => visitor.get(`/event/${encodeURIComponent(name)}/delete`),
      (name: string) => visitor.post(`/event/${encodeURIComponent(name)}`, { body: "x" }),
      (name: string) => visitor.post(`/event/${encodeURIComponent(name)}/act`, { act: "add" }),
      (name: string) => visitor.post(`/event/${encodeURIComponent(name)}/act`, { act: "dismiss" }),
      (name: string) => visitor.post(`/event/${encodeURIComponent(name)}/edit`, { ...form, audience: "public" }),
      (name: string) => visitor.post(`/event/${encodeURIComponent(name)}/delete`, {}),
    ];
    await visitor.get("/help");
    await visitor.get("/search");
    for (const [at, door] of doors.entries()) {
      const [seen, unknown] = [await door(hash), await door(never)];
      expect(seen.status, `door ${at}`).toBe(unknown.status);
      expect(seen.text).not.toContain("Secret supper");
      expect(withoutNames(seen, hash), `door ${at}`).toBe(withoutNames(unknown, never));
    }
  }

  test("an event for a group is for its members", async () => {
    expect((await bob.get(`/event/${shared.event_hash}`)).text).toContain("Secret supper");
    expect((await bob.get(`/events/ical/${shared.event_hash}`)).status).toBe(200);
    for (const visitor of [carol, dora, stranger, visitorOf(world.app)])
      await expectNothing(visitor, shared.event_hash);
  });

  test("an event that is not shared is for its maker", async () => {
    expect((await alice.get(`/event/${own.event_hash}`)).text).toContain("Secret supper");
    for (const visitor of [bob, carol, dora, stranger, visitorOf(world.app)])
      await expectNothing(visitor, own.event_hash);
  });

  test("an event for connections is for them, and not for those who are blocked", async () => {
    expect((await carol.get(`/event/${connections.event_hash}`)).status).toBe(200);
    for (const visitor of [dora, stranger, visitorOf(world.app)]) await expectNothing(visitor, connections.event_hash);
  });

  test("a public event is for everybody but those who are blocked", async () => {
    expect((await stranger.get(`/event/${open.event_hash}`)).status).toBe(200);
    expect((await visitorOf(world.app).get(`/events/ical/${open.event_hash}`)).status).toBe(200);
    await expectNothing(dora, open.event_hash);
  });

  test("nobody's calendar shows another's events", async () => {
    for (const visitor of [carol, dora, stranger]) {
      expect((await visitor.get("/events?month=2026-03")).text).not.toContain("Secret supper");
      expect((await visitor.get("/events/ical")).text).not.toContain("Secret supper");
    }
  });
});
