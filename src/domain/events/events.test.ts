import { anonymous } from "../../../test/support/observers.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { befriend, copyOf, deliver, holders, mark, newcomer, nobody } from "../../../test/support/people.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { observerOf } from "../identity/channels/observer.ts";
import { updateChannel } from "../identity/channels/channels.ts";
import { deleteItem } from "../items/posting/delete.ts";
import { findOwnItem } from "../items/find.ts";
import { react, unreact } from "../items/posting/react.ts";
import type { Item } from "../items/types.ts";
import {
  addToCalendar,
  deleteEvent,
  editItemOrEvent,
  findEvent,
  importEvent,
  listBirthdays,
  listEvents,
  postItemOrEvent,
  saveEvent,
  setDismissed,
} from "./events.ts";
import type { EventDraft } from "./events.ts";
import { itemOf } from "./save.ts";

let hub: TestHub;
let alice: Channel;
let bob: Channel;
let carol: Channel;

beforeAll(async () => {
  hub = await openTestHub();
  alice = await newcomer(hub, "alice", { timezone: "Europe/Berlin" });
  bob = await newcomer(hub, "bob");
  carol = await newcomer(hub, "carol");
  await befriend(hub, alice, bob);
  await befriend(hub, alice, carol);
});
afterAll(() => hub.close());
beforeEach(async () => {
  await hub.db.deleteFrom("event").execute();
});

const party: EventDraft = {
  summary: "Party",
  description: "Bring [b]cake[/b]",
  location: "Garden",
  dtstart: "2026-03-20 18:00:00",
  dtend: "2026-03-20 22:00:00",
};
const everybody = { audience: nobody };

function forBob(): Pick<EventDraft, "share"> {
  return { share: { audience: { ...nobody, allow_cid: [bob.channel_hash] } } };
}

async function calendar(channel: Channel, from = "2026-03-01", to = "2026-04-01"): Promise<string[]> {
  return (await listEvents(hub, channel, from, to)).map(({ event, start, end }) => `${event.summary} ${start} ${end}`);
}

async function itemFor(hash: string): Promise<Item> {
  const { item } = await findEvent(hub, observerOf(alice), hash);
  return item!;
}

describe("an event and its item", () => {
  test("are made together and delivered like a post", async () => {
    const event = await saveEvent(hub, alice, { ...party, share: everybody });
    expect(event).toMatchObject({ etype: "event", nofinish: 0, adjust: 1, allow_cid: "", uid: alice.channel_id });
    expect(event.event_hash).toMatch(/^[0-9a-f]{64}@hub\.example$/);
    const item = await itemFor(event.event_hash);
    expect(item).toMatchObject({
      resource_type: "event",
      resource_id: event.event_hash,
      obj_type: "http://activitystrea.ms/schema/1.0/event",
      title: "Party",
    });
    expect(item.body).toContain("[event-start]2026-03-20 18:00:00[/event-start]");
    expect(item.html).toContain('<time datetime="2026-03-20T18:00:00Z">2026-03-20 18:00 UTC</time>');
    expect(JSON.parse(item.obj)).toMatchObject({
      type: "http://activitystrea.ms/schema/1.0/event",
      id: `http://hub.example/event/${event.event_hash}`,
      title: "Party",
      dtstart: "2026-03-20 18:00:00",
      adjust: 1,
      content: item.body,
      author: { name: "Alice", address: "alice@hub.example" },
    });
    expect(JSON.parse(item.attach)).toMatchObject([
      { type: "text/calendar", href: `http://hub.example/events/ical/${event.event_hash}` },
    ]);
    await deliver(hub);
    expect(await holders(hub, item, [bob, carol])).toEqual(["bob", "carol"]);
  });

  test("have the same audience", async () => {
    const event = await saveEvent(hub, alice, { ...party, ...forBob() });
    expect(event.allow_cid).toBe(`<${bob.channel_hash}>`);
    await deliver(hub);
    expect(await holders(hub, await itemFor(event.event_hash), [bob, carol])).toEqual(["bob"]);
    await expect(findEvent(hub, observerOf(bob), event.event_hash)).resolves.toMatchObject({ event: { id: event.id } });
    await expect(findEvent(hub, observerOf(carol), event.event_hash)).rejects.toMatchObject({ kind: "missing" });
    await expect(findEvent(hub, anonymous, event.event_hash)).rejects.toMatchObject({ kind: "missing" });
  });

  test("are for connections alone when the scope word says so, although no list does", async () => {
    const stranger = await newcomer(hub, "stranger");
    const event = await saveEvent(hub, alice, { ...party, share: { ...everybody, publicPolicy: "contacts" } });
    await expect(findEvent(hub, observerOf(bob), event.event_hash)).resolves.toBeDefined();
    await expect(findEvent(hub, observerOf(stranger), event.event_hash)).rejects.toMatchObject({ kind: "missing" });
    await expect(findEvent(hub, anonymous, event.event_hash)).rejects.toMatchObject({ kind: "missing" });
  });

  test("change together, also in the calendars of those who come", async () => {
    const event = await saveEvent(hub, alice, { ...party, share: everybody });
    await deliver(hub);
    await addToCalendar(hub, bob, event.event_hash);
    hub.advance(60);
    await saveEvent(
      hub,
      alice,
      { ...party, summary: "Feast", dtstart: "2026-03-21 18:00:00", dtend: "2026-03-21 20:00:00" },
      event.event_hash,
    );
    const item = await itemFor(event.event_hash);
    expect(item).toMatchObject({ title: "Feast", revision: 1 });
    expect(item.body).toContain("2026-03-21 18:00:00");
    expect(JSON.parse(item.obj)).toMatchObject({ title: "Feast" });
    expect(await calendar(alice)).toEqual(["Feast 2026-03-21 19:00:00 2026-03-21 21:00:00"]);
    expect(await calendar(bob)).toEqual(["Feast 2026-03-21 18:00:00 2026-03-21 20:00:00"]);
  });

  test("are deleted together, whichever of them is deleted", async () => {
    for (const way of ["event", "item"]) {
      const event = await saveEvent(hub, alice, { ...party, share: everybody });
      await deliver(hub);
      await addToCalendar(hub, bob, event.event_hash);
      const item = await itemFor(event.event_hash);
      if (way === "event") await deleteEvent(hub, alice, event.event_hash);
      else await deleteItem(hub, alice, { id: item.id });
      expect(await calendar(alice)).toEqual([]);
      expect(await calendar(bob)).toEqual([]);
      expect(await copyOf(hub, bob, item)).toMatchObject({ item_deleted: 1, body: "" });
      await expect(findEvent(hub, observerOf(alice), event.event_hash)).rejects.toMatchObject({ kind: "missing" });
    }
  });

  test("whoever has an event in the calendar cannot change it, and removes only the own entry", async () => {
    const event = await saveEvent(hub, alice, { ...party, share: everybody });
    await addToCalendar(hub, bob, event.event_hash);
    await expect(saveEvent(hub, bob, party, event.event_hash)).rejects.toMatchObject({ kind: "denied" });
    await deleteEvent(hub, bob, event.event_hash);
    expect(await calendar(bob)).toEqual([]);
    expect(await calendar(alice)).toHaveLength(1);
    await expect(deleteEvent(hub, bob, event.event_hash)).rejects.toMatchObject({ kind: "missing" });
  });

  test("an event that is not shared has no item, until it is shared", async () => {
    const event = await saveEvent(hub, alice, party);
    expect(event.allow_cid).toBe(`<${alice.channel_hash}>`);
    expect(await itemOf(hub, alice, event)).toBeUndefined();
    await expect(findEvent(hub, observerOf(bob), event.event_hash)).rejects.toMatchObject({ kind: "missing" });
    const shared = await saveEvent(hub, alice, { ...party, share: everybody }, event.event_hash);
    expect(shared.allow_cid).toBe("");
    await expect(findEvent(hub, anonymous, event.event_hash)).resolves.toBeDefined();
  });

  test("nobody steals the page of an event by giving a post its name", async () => {
    const event = await saveEvent(hub, alice, { ...party, ...forBob() });
    await importEvent(hub, carol, {
      event_hash: event.event_hash,
      event_xchan: alice.channel_hash,
      summary: "Mine",
      dtstart: "2026-03-20 18:00:00",
    });
    await expect(findEvent(hub, anonymous, event.event_hash)).rejects.toMatchObject({ kind: "missing" });
    expect((await findEvent(hub, observerOf(bob), event.event_hash)).event.summary).toBe("Party");
  });
});

describe("attending", () => {
  test("brings the event into the calendar, and not attending takes it out", async () => {
    const event = await saveEvent(hub, alice, { ...party, ...forBob() });
    await deliver(hub);
    const item = (await copyOf(hub, bob, await itemFor(event.event_hash)))!;
    await react(hub, bob, { id: item.id }, "attendmaybe", "stays");
    await deliver(hub);
    expect(await calendar(bob)).toEqual(["Party 2026-03-20 18:00:00 2026-03-20 22:00:00"]);
    await react(hub, bob, { id: item.id }, "attendno", "stays");
    await deliver(hub);
    expect(await calendar(bob)).toEqual([]);
    await react(hub, bob, { id: item.id }, "attendyes", "stays");
    await deliver(hub);
    expect(await calendar(bob)).toHaveLength(1);
    await unreact(hub, bob, { id: item.id }, "attendyes");
    await deliver(hub);
    expect(await calendar(bob)).toEqual([]);
    expect(await calendar(alice)).toHaveLength(1);
  });

  test("one's own event stays whatever one answers", async () => {
    const event = await saveEvent(hub, alice, { ...party, share: everybody });
    const item = await itemFor(event.event_hash);
    await react(hub, alice, { id: item.id }, "attendno", "stays");
    await deliver(hub);
    expect(await calendar(alice)).toHaveLength(1);
  });

  test("nobody notes an event that they may not see", async () => {
    const event = await saveEvent(hub, alice, { ...party, ...forBob() });
    await expect(addToCalendar(hub, carol, event.event_hash)).rejects.toMatchObject({ kind: "missing" });
    await expect(addToCalendar(hub, carol, "0".repeat(64))).rejects.toMatchObject({ kind: "missing" });
    const stranger = await newcomer(hub, "victor");
    await befriend(hub, alice, stranger);
    const open = await saveEvent(hub, alice, { ...party, share: everybody });
    await mark(hub, alice, stranger, { blocked: true });
    await expect(addToCalendar(hub, stranger, open.event_hash)).rejects.toMatchObject({ kind: "missing" });
  });
});

describe("the calendar", () => {
  test("shows adjusted times on the clock of the channel, others as they are", async () => {
    await saveEvent(hub, alice, { ...party, summary: "UTC" });
    await saveEvent(hub, alice, { ...party, summary: "Wall", adjust: false });
    expect(await calendar(alice)).toEqual([
      "Wall 2026-03-20 18:00:00 2026-03-20 22:00:00",
      "UTC 2026-03-20 19:00:00 2026-03-20 23:00:00",
    ]);
  });

  test("finds what began before, what has no end, and nothing beside the month", async () => {
    await saveEvent(hub, alice, {
      ...party,
      summary: "Long",
      dtstart: "2026-02-01 10:00:00",
      dtend: "2026-03-02 10:00:00",
    });
    const { dtend: _, ...open } = party;
    await saveEvent(hub, alice, { ...open, summary: "Open" });
    await saveEvent(hub, alice, {
      ...party,
      summary: "Before",
      dtstart: "2026-02-28 20:00:00",
      dtend: "2026-02-28 22:59:00",
    });
    await saveEvent(hub, alice, {
      ...party,
      summary: "Late",
      dtstart: "2026-03-31 22:00:00",
      dtend: "2026-03-31 23:00:00",
    });
    expect(await calendar(alice)).toEqual([
      "Long 2026-02-01 11:00:00 2026-03-02 11:00:00",
      "Open 2026-03-20 19:00:00 2026-03-20 19:00:00",
    ]);
    expect(await calendar(alice, "2026-04-01", "2026-05-01")).toEqual(["Late 2026-04-01 00:00:00 2026-04-01 01:00:00"]);
  });

  test("repeats at the same hour when the clocks change", async () => {
    await saveEvent(hub, alice, { ...party, repeat: "FREQ=WEEKLY" });
    expect(await calendar(alice)).toEqual([
      "Party 2026-03-20 19:00:00 2026-03-20 23:00:00",
      "Party 2026-03-27 19:00:00 2026-03-27 23:00:00",
    ]);
    expect((await calendar(alice, "2026-04-01", "2026-05-01"))[0]).toBe(
      "Party 2026-04-03 19:00:00 2026-04-03 23:00:00",
    );
  });

  test("hides what its owner has dismissed", async () => {
    const event = await saveEvent(hub, alice, party);
    await setDismissed(hub, alice, event.event_hash, true);
    expect(await calendar(alice)).toEqual([]);
    await setDismissed(hub, alice, event.event_hash, false);
    expect(await calendar(alice)).toHaveLength(1);
    await expect(setDismissed(hub, bob, event.event_hash, true)).rejects.toMatchObject({ kind: "missing" });
  });

  test("knows the birthdays of connections", async () => {
    await hub.db
      .updateTable("abook")
      .set({ abook_dob: "2020-03-09 00:00:00" })
      .where("abook_channel", "=", alice.channel_id)
      .where("abook_xchan", "=", bob.channel_hash)
      .execute();
    expect(await listBirthdays(hub, alice, "2026-02-23", "2026-04-06")).toMatchObject([
      { date: "2026-03-09", name: "Bob" },
    ]);
    expect(await listBirthdays(hub, alice, "2026-04-01", "2026-05-01")).toEqual([]);
    expect(await listBirthdays(hub, bob, "2026-03-01", "2026-04-01")).toEqual([]);
  });

  test("tasks have a state and a progress", async () => {
    const task = await saveEvent(hub, alice, { ...party, etype: "task", status: "IN-PROCESS", percent: 40 });
    expect(task).toMatchObject({ etype: "task", event_status: "IN-PROCESS", event_percent: 40, event_sequence: 0 });
    hub.advance(60);
    const done = await saveEvent(hub, alice, { ...party, status: "COMPLETED" }, task.event_hash);
    expect(done).toMatchObject({ etype: "task", event_status: "COMPLETED", event_percent: 100, event_sequence: 1 });
    expect(done.event_status_date > task.event_status_date).toBe(true);
  });
});

test.each([
  ["no title", { summary: " <> " }, "summary"],
  ["no beginning", { dtstart: "" }, "dtstart"],
  ["a day that is none", { dtstart: "2026-02-30 10:00:00" }, "dtstart"],
  ["an end before it begins", { dtend: "2026-03-20 17:00:00" }, "dtend"],
  ["a rule that is none", { repeat: "every week" }, "repeat"],
  ["too much progress", { etype: "task" as const, percent: 101 }, "percent"],
])("an event with %s is refused", async (_, wrong, field) => {
  await expect(saveEvent(hub, alice, { ...party, ...wrong })).rejects.toMatchObject({ kind: "invalid", field });
});

describe("a post of type event", () => {
  const body =
    "Come!\n[event-summary]Picnic[/event-summary][event-start]2026-03-22 10:00:00[/event-start][event-adjust]0[/event-adjust]";

  test("has its event", async () => {
    const item = await postItemOrEvent(hub, alice, { body, objType: "event", audience: nobody });
    expect(item).toMatchObject({ resource_type: "event", title: "Picnic" });
    expect(item.body).toBe(`${body}\n[event-id]${item.resource_id}[/event-id]`);
    const { event } = await findEvent(hub, anonymous, item.resource_id);
    expect(event).toMatchObject({ summary: "Picnic", nofinish: 1, adjust: 0, dtstart: "2026-03-22 10:00:00" });
    await editItemOrEvent(hub, alice, item.id, { body: item.body.replace("10:00", "11:00") });
    expect(await calendar(alice)).toEqual(["Picnic 2026-03-22 11:00:00 2026-03-22 11:00:00"]);
  });

  test("is a plain post when it does not say when", async () => {
    const item = await postItemOrEvent(hub, alice, { body: "[event-summary]Never[/event-summary]", objType: "event" });
    expect(item).toMatchObject({ resource_type: "", obj_type: "http://activitystrea.ms/schema/1.0/event" });
    expect(await findOwnItem(hub, alice.channel_id, { id: item.id })).toBeDefined();
  });
});

test("an event record is imported once, and again when it is newer", async () => {
  const record = {
    event_hash: "a".repeat(64),
    event_xchan: "elsewhere",
    summary: "Old",
    dtstart: "2026-03-05 10:00:00",
    edited: "2026-01-01 00:00:00",
    nofinish: "1",
    adjust: 1,
  };
  expect(await importEvent(hub, alice, record)).toBe("imported");
  expect(await importEvent(hub, alice, record)).toBe("there");
  expect(await importEvent(hub, alice, { ...record, summary: "New", edited: "2026-01-02 00:00:00" })).toBe("imported");
  expect(await calendar(alice)).toEqual(["New 2026-03-05 11:00:00 2026-03-05 11:00:00"]);
  for (const wrong of [undefined, 3, {}, { event_hash: "x" }, { ...record, event_hash: "y", dtstart: "soon" }])
    expect(await importEvent(hub, alice, wrong)).toBe("unreadable");
});

test("another zone of the channel moves adjusted events only in what is shown", async () => {
  await saveEvent(hub, alice, party);
  const moved = await updateChannel(hub, alice.channel_id, { timezone: "Asia/Tokyo" });
  expect(await calendar(moved)).toEqual(["Party 2026-03-21 03:00:00 2026-03-21 07:00:00"]);
});
