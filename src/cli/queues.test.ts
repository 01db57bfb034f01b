import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hubbub, hubbubJson, makePeople, newPlace, openPlace, serve } from "../../test/support/command.ts";
import type { Place } from "../../test/support/command.ts";
import { recordArrival } from "../domain/delivery/arrivals.ts";
import { sendOut } from "../domain/delivery/outgoing.ts";
import { addDeed } from "../jobs/queue.ts";
import type { Hub } from "../hub.ts";
import type { Finding } from "./checks/finding.ts";

/** What operators see of deliveries and arrivals, and what a restore does to them. */

let place: Place;
beforeAll(async () => {
  place = await newPlace();
  await makePeople(place, "anna", "ben");
});
afterAll(() => place.remove());

async function inPlace<T>(work: (hub: Hub) => Promise<T>, secondsLater = 0): Promise<T> {
  const hub = await openPlace(place, secondsLater);
  try {
    return await work(hub);
  } finally {
    await hub.close();
  }
}

const send = (hub: Hub, name: string, host: string, sender = 1) => {
  const to = [{ inbox: `https://${host}/inbox`, people: [1], shared: true }];
  return sendOut(hub, [{ deed: `create ${name}`, variant: "", sender, objectId: name, bytes: "{}", to }]);
};

type Row = { id: number; deed: string; host: string; state: string; last_error: string };
const list = (...more: string[]) => hubbubJson<Row[]>(place, "deliveries", "list", ...more);
const doctor = async (check: string) =>
  (await hubbubJson<{ findings: Finding[] }>(place, "doctor")).findings.find((finding) => finding.check === check);

test("deliveries are listed, sent again and given up", async () => {
  await inPlace(async (hub) => {
    for (const [name, host] of [
      ["one", "a.example"],
      ["two", "b.example"],
      ["three", "b.example"],
    ] as const)
      await send(hub, name, host);
  });
  expect((await list()).map(({ deed, host }) => [deed, host])).toEqual([
    ["create one", "a.example"],
    ["create two", "b.example"],
    ["create three", "b.example"],
  ]);
  expect(await hubbubJson(place, "deliveries", "drop", "--host", "b.example")).toEqual({ dropped: 2 });
  const given = await list("--state", "given up");
  expect(given.map(({ last_error }) => last_error)).toEqual(["dropped", "dropped"]);
  expect((await hubbub(place, ["deliveries", "list", "--state", "given up"])).stdout).toContain("b.example");
  expect(await hubbubJson(place, "deliveries", "retry", String(given[0]!.id))).toEqual({ retried: 1 });
  expect(await list("--host", "b.example")).toHaveLength(1);
  expect(await hubbubJson(place, "deliveries", "retry")).toEqual({ retried: 1 });
  // Nothing is held, so nothing is dropped that nobody has named.
  expect(await hubbubJson(place, "deliveries", "drop")).toEqual({ dropped: 0 });
  for (const wrong of [
    ["deliveries", "retry", "x"],
    ["deliveries", "list", "--state", "lost"],
    ["inbox", "retry", "-1"],
  ])
    expect((await hubbub(place, wrong)).code).toBe(2);
});

test("what could not take effect is listed, and tried again", async () => {
  await inPlace(async (hub) => {
    const bytes = Buffer.from("{}");
    const signer = "https://far.example/users/carla";
    for (const name of ["a", "b"]) {
      const activityId = `https://far.example/${name}`;
      await recordArrival(hub, { activityId, signer, scheme: "cavage", bytes, recipients: [], objectId: name });
    }
    const failed = { state: "failed", attempts: 5, last_error: "They do not answer" };
    await hub.db.updateTable("inbox_activity").set(failed).where("object_id", "=", "b").execute();
  });
  expect(await hubbubJson<unknown[]>(place, "inbox", "list")).toHaveLength(1);
  const failed = await hubbubJson<{ id: number; last_error: string }[]>(place, "inbox", "list", "--failed");
  expect(failed).toMatchObject([{ activity_id: "https://far.example/b", last_error: "They do not answer" }]);
  expect(await hubbubJson(place, "inbox", "retry", String(failed[0]!.id))).toEqual({ retried: 1 });
  expect(await hubbubJson(place, "inbox", "retry")).toEqual({ retried: 0 });
});

test("the doctor sees what is late", async () => {
  expect(await doctor("deliveries")).toMatchObject({ state: "ok" });
  const long = "2026-01-01 00:00:00";
  await inPlace((hub) => hub.db.updateTable("delivery").set({ next_at: long }).execute());
  expect(await doctor("deliveries")).toMatchObject({ state: "warning", found: expect.stringMatching(/^3 are due/) });
});

test("nothing that waited at the moment of a backup goes out again by itself, and the first start says so", async () => {
  const file = join(place.folder, "queues.backup.gz");
  const deed = { kind: "channel" } as never;
  await inPlace((hub) => addDeed(hub, 2, deed, { at: "2999-01-01 00:00:00" }));
  await hubbub(place, ["backup", file]);
  await hubbub(place, ["restore", file, "--force"]);
  expect((await list("--state", "held")).map(({ deed }) => deed)).toEqual(["create one", "create two", "create three"]);
  expect(await doctor("held deliveries")).toMatchObject({ state: "warning", found: expect.stringMatching(/^3 wait/) });
  // What a channel did before, and is translated only now, is held as well; what is done from now on goes out.
  await inPlace(async (hub) => {
    await send(hub, "of before", "c.example", 2);
    await send(hub, "new", "c.example", 1);
  });
  expect((await list("--host", "c.example")).map(({ deed }) => deed)).toEqual(["create new"]);
  await hubbubJson(place, "deliveries", "drop", "--host", "c.example");
  const running = await serve(place);
  await running.stop();
  const said = running.printed + running.stderr();
  expect(said).toMatch(/3 deliveries are held since this hub was restored/);
  expect(said).toMatch(/deliveries of 1 deeds of before that backup are held as well/);
  expect(await hubbubJson(place, "deliveries", "drop")).toEqual({ dropped: 3 });
});
