import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { newcomer } from "../../../test/support/people.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { ical, importCalendar, listEvents, saveEvent, wholeCalendar } from "./events.ts";

let hub: TestHub;
let alice: Channel;
let bob: Channel;

beforeAll(async () => {
  hub = await openTestHub();
  alice = await newcomer(hub, "alice", { timezone: "Europe/Berlin" });
  bob = await newcomer(hub, "bob", { timezone: "America/New_York" });
});
afterAll(() => hub.close());
beforeEach(async () => {
  await hub.db.deleteFrom("event").execute();
});

/** A file with these events, as other programs write them. */
function file(...events: string[][]): string {
  const lines = events.flatMap((lines) => ["BEGIN:VEVENT", ...lines, "END:VEVENT"]);
  return ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Other//EN", ...lines, "END:VCALENDAR", ""].join("\r\n");
}

async function calendar(channel: Channel, from = "2026-03-01", to = "2026-05-01"): Promise<string[]> {
  return (await listEvents(hub, channel, from, to)).map(({ event, start, end }) => `${event.summary} ${start} ${end}`);
}

describe("writing", () => {
  test("an event has its times in UTC, its texts escaped, and lines that are not too long", async () => {
    const event = await saveEvent(hub, alice, {
      summary: "Tea, cake; talk",
      description: `[b]Bold[/b] ${"long ".repeat(40)}`,
      location: "Garden",
      dtstart: "2026-03-20 18:00:00",
      dtend: "2026-03-20 22:00:00",
    });
    const text = await ical(hub, alice, [event]);
    expect(text).toContain("BEGIN:VCALENDAR\r\n");
    expect(text).toContain(`UID:${event.event_hash.slice(0, 60)}`);
    expect(text).toContain("DTSTART:20260320T180000Z\r\nDTEND:20260320T220000Z\r\n");
    expect(text).toContain("SUMMARY:Tea\\, cake\\; talk\r\n");
    expect(text).toContain("DESCRIPTION:Bold long");
    expect(text.split("\r\n").every((line) => line.length <= 76)).toBe(true);
  });

  test("whole days, wall clocks, repetitions and tasks", async () => {
    const day = { dtstart: "2026-03-20 00:00:00", dtend: "2026-03-21 00:00:00", adjust: false };
    await saveEvent(hub, alice, { ...day, summary: "Day" });
    await saveEvent(hub, alice, { summary: "Wall", dtstart: "2026-03-20 10:00:00", adjust: false });
    await saveEvent(hub, alice, { summary: "Weekly", dtstart: "2026-03-20 18:00:00", repeat: "FREQ=WEEKLY;COUNT=3" });
    const task = { etype: "task" as const, status: "COMPLETED" as const };
    await saveEvent(hub, alice, {
      ...task,
      summary: "Task",
      dtstart: "2026-03-21 18:00:00",
      dtend: "2026-03-21 19:00:00",
    });
    const text = await wholeCalendar(hub, alice);
    expect(text).toContain("DTSTART;VALUE=DATE:20260320\r\nDTEND;VALUE=DATE:20260321\r\n");
    expect(text).toContain("DTSTART:20260320T100000\r\n");
    expect(text).toContain("RRULE:FREQ=WEEKLY;COUNT=3\r\nDTSTART;TZID=Europe/Berlin:20260320T190000\r\n");
    expect(text).toMatch(/BEGIN:VTODO[^]*DUE:20260321T190000Z[^]*STATUS:COMPLETED\r\nPERCENT-COMPLETE:100/);
  });
});

describe("reading", () => {
  test("times in UTC, in a zone, of nowhere, and whole days", async () => {
    const text = file(
      ["UID:1", "SUMMARY:Utc", "DTSTART:20260401T100000Z", "DTEND:20260401T110000Z"],
      ["UID:2", "SUMMARY:Zone", "DTSTART;TZID=America/New_York:20260402T100000", "DURATION:PT90M"],
      ["UID:3", "SUMMARY:Floating", "DTSTART:20260403T100000"],
      ["UID:4", "SUMMARY:Day", "DTSTART;VALUE=DATE:20260404"],
      ["UID:5", "SUMMARY:Odd", "DTSTART;TZID=Nowhere:20260405T100000"],
    );
    expect(await importCalendar(hub, alice, text)).toEqual({ added: 5, changed: 0, unreadable: 0 });
    expect(await calendar(alice)).toEqual([
      "Utc 2026-04-01 12:00:00 2026-04-01 13:00:00",
      "Zone 2026-04-02 16:00:00 2026-04-02 17:30:00",
      "Floating 2026-04-03 10:00:00 2026-04-03 10:00:00",
      "Day 2026-04-04 00:00:00 2026-04-05 00:00:00",
      "Odd 2026-04-05 10:00:00 2026-04-05 10:00:00",
    ]);
    expect(await calendar(bob)).toEqual([]);
    const rows = await hub.db.selectFrom("event").selectAll().execute();
    expect(rows.every((row) => row.allow_cid === `<${alice.channel_hash}>`)).toBe(true);
    expect(rows[0]!.event_vdata).toContain("SUMMARY:Utc");
  });

  test("the same file again changes what is there", async () => {
    const event = ["UID:1", "DTSTART:20260401T100000Z"];
    await importCalendar(hub, alice, file([...event, "SUMMARY:Old"]));
    expect(await importCalendar(hub, alice, file([...event, "SUMMARY:New"]))).toMatchObject({ added: 0, changed: 1 });
    expect(await calendar(alice)).toEqual(["New 2026-04-01 12:00:00 2026-04-01 12:00:00"]);
    expect(await importCalendar(hub, alice, await wholeCalendar(hub, alice))).toMatchObject({ added: 0, changed: 1 });
  });

  test("a name that another channel's event has is no way to it", async () => {
    const theirs = await saveEvent(hub, bob, { summary: "Theirs", dtstart: "2026-04-01 10:00:00" });
    await importCalendar(hub, alice, file([`UID:${theirs.event_hash}`, "SUMMARY:Mine", "DTSTART:20260401T100000Z"]));
    const rows = await hub.db.selectFrom("event").select(["uid", "summary", "event_hash"]).orderBy("id").execute();
    expect(rows.map((row) => row.summary)).toEqual(["Theirs", "Mine"]);
    expect(rows[1]!.event_hash).not.toBe(theirs.event_hash);
  });

  test("repetitions with their exceptions", async () => {
    const text = file(
      [
        "UID:1",
        "SUMMARY:Weekly",
        "DTSTART;TZID=Europe/Berlin:20260305T180000",
        "RRULE:FREQ=WEEKLY;UNTIL=20260410T000000Z",
        "EXDATE;TZID=Europe/Berlin:20260319T180000",
      ],
      ["UID:1", "SUMMARY:Moved", "RECURRENCE-ID;TZID=Europe/Berlin:20260326T180000", "DTSTART:20260327T100000Z"],
    );
    expect(await importCalendar(hub, alice, text)).toEqual({ added: 2, changed: 0, unreadable: 0 });
    expect((await calendar(alice)).map((line) => line.slice(0, -20))).toEqual([
      "Weekly 2026-03-05 18:00:00",
      "Weekly 2026-03-12 18:00:00",
      "Moved 2026-03-27 11:00:00",
      "Weekly 2026-04-02 18:00:00",
      "Weekly 2026-04-09 18:00:00",
    ]);
    const text2 = await wholeCalendar(hub, alice);
    expect(text2).toContain("EXDATE;TZID=Europe/Berlin:20260319T180000");
  });

  test("what goes out comes in again as it was", async () => {
    await saveEvent(hub, alice, { summary: "A", dtstart: "2026-03-20 18:00:00", repeat: "FREQ=WEEKLY;COUNT=5" });
    await saveEvent(hub, alice, {
      summary: "B",
      dtstart: "2026-03-21 00:00:00",
      dtend: "2026-03-23 00:00:00",
      adjust: false,
    });
    const before = await calendar(alice);
    const text = await wholeCalendar(hub, alice);
    await hub.db.deleteFrom("event").execute();
    await importCalendar(hub, alice, text);
    expect(await calendar(alice)).toEqual(before);
  });

  test.each([
    ["nothing", ""],
    ["a text", "Dear calendar"],
    ["a card", "BEGIN:VCARD\r\nFN:Bob\r\nEND:VCARD\r\n"],
    ["half a file", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:x"],
    ["binary", "\u0000\u0001BEGIN:VCALENDAR"],
  ])("%s is no calendar", async (_, text) => {
    await expect(importCalendar(hub, alice, text)).rejects.toMatchObject({ kind: "invalid", field: "file" });
  });

  test("events that cannot be read are counted, the others are taken", async () => {
    const text = file(
      ["UID:1", "SUMMARY:No time"],
      ["UID:2", "SUMMARY:Odd time", "DTSTART:yesterday"],
      ["UID:3", "SUMMARY:Good [b]", "DTSTART:20260401T100000Z", "DESCRIPTION:[event-start]x[/event-start][b]"],
      ["UID:4", "SUMMARY:Never", "DTSTART:20260401T110000Z", "RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30"],
      ["UID:5", "SUMMARY:Old", "DTSTART:00010101T100000Z"],
    );
    const { added, unreadable } = await importCalendar(hub, alice, text);
    expect([added, unreadable]).toEqual([2, 3]);
    expect(await calendar(alice)).toHaveLength(2);
  });

  test("a file with more events than a calendar takes is refused", async () => {
    const many = Array.from({ length: 2001 }, (_, n) => [`UID:${n}`, "DTSTART:20260401T100000Z"]);
    await expect(importCalendar(hub, alice, file(...many))).rejects.toMatchObject({ kind: "invalid" });
  });
});
