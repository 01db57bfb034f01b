import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { openHub } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { currentAnnouncements } from "./announcements.ts";
import { endAnnouncement, publishAnnouncement, removeAnnouncement, writeAnnouncement } from "./write.ts";

/** Pages ask for announcements all the time: that there are none is remembered, and never for too long. */

let queries = 0;
let hub: TestHub;
let other: Hub;
beforeAll(async () => {
  hub = await openTestHub({ onQuery: () => void (queries += 1) });
  const { config, clock, makeKeys, log, threads } = hub;
  other = await openHub(config, { clock, makeKeys, log, threads });
});
afterAll(async () => {
  await other.close();
  await hub.close();
});

async function shown(of: Hub = hub): Promise<string[]> {
  return (await currentAnnouncements(of, 1)).map(({ body }) => body);
}

test("nothing is asked for while there is none, and each change is seen at once", async () => {
  expect(await shown()).toEqual([]);
  queries = 0;
  expect(await shown()).toEqual([]);
  expect(queries).toBe(0);
  const id = await writeAnnouncement(hub, { body: "Not yet", published: undefined, ends: undefined });
  expect(await shown()).toEqual([]);
  await publishAnnouncement(hub, id);
  expect(await shown()).toEqual(["Not yet"]);
  await endAnnouncement(hub, id);
  expect(await shown()).toEqual([]);
  await removeAnnouncement(hub, id);
  expect(await shown()).toEqual([]);
});

test("one begins and ends by itself, however well it is remembered that there is none", async () => {
  const [published, ends] = ["2026-03-01 12:10:00", "2026-03-01 12:20:00"];
  const id = await writeAnnouncement(hub, { body: "For a while", published, ends });
  expect(await shown()).toEqual([]);
  hub.setClock("2026-03-01T12:09:59Z");
  expect(await shown()).toEqual([]);
  hub.advance(1);
  expect(await shown()).toEqual(["For a while"]);
  hub.advance(600);
  expect(await shown()).toEqual([]);
  await removeAnnouncement(hub, id);
});

test("what another process has written is seen five seconds later", async () => {
  const now = vi.spyOn(performance, "now");
  const moment = performance.now();
  now.mockReturnValue(moment);
  try {
    expect(await shown(other)).toEqual([]);
    await writeAnnouncement(hub, { body: "Elsewhere", published: "2026-03-01 12:00:00", ends: undefined });
    expect(await shown()).toEqual(["Elsewhere"]);
    now.mockReturnValue(moment + 5000);
    expect(await shown(other)).toEqual(["Elsewhere"]);
  } finally {
    now.mockRestore();
  }
});
