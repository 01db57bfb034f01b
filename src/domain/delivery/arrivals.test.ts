import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { recordArrival } from "./arrivals.ts";
import type { Arrived } from "./arrivals.ts";
import { listen } from "./bells.ts";

let hub: TestHub;
let heard = 0;

beforeAll(async () => {
  hub = await openTestHub();
  listen(hub, "arrivals", () => void heard++);
});
afterAll(() => hub.close());

function arrived(name: string, more: Partial<Arrived> = {}): Arrived {
  return {
    activityId: `https://far.example/activity/${name}`,
    signer: "https://far.example/users/carla",
    scheme: "cavage",
    bytes: Buffer.from(`{"name":"${name} é"}`),
    recipients: [],
    objectId: `https://far.example/note/${name}`,
    ...more,
  };
}

const rowOf = (name: string) =>
  hub.db
    .selectFrom("inbox_activity")
    .selectAll()
    .where("activity_id", "=", arrived(name).activityId)
    .executeTakeFirstOrThrow();

async function recipientsOf(name: string): Promise<number[]> {
  const { id } = await rowOf(name);
  const rows = hub.db.selectFrom("inbox_recipient").select("channel_id").where("inbox_activity", "=", id);
  return (await rows.orderBy("channel_id").execute()).map(({ channel_id }) => channel_id);
}

const end = (name: string) =>
  hub.db
    .updateTable("inbox_activity")
    .set({ state: "done", bytes: "", attempts: 1 })
    .where("activity_id", "=", arrived(name).activityId)
    .execute();

test("is kept once, as it came", async () => {
  const before = heard;
  for (let times = 0; times < 3; times++) await recordArrival(hub, arrived("one"));
  expect(await rowOf("one")).toMatchObject({
    state: "waiting",
    attempts: 0,
    host: "far.example",
    bytes: '{"name":"one é"}',
    object_id: "https://far.example/note/one",
  });
  expect(heard - before).toBe(1);
  await end("one");
  await recordArrival(hub, arrived("one"));
  expect(await rowOf("one")).toMatchObject({ state: "done" });
});

test("takes effect anew for those who get it later, and only then", async () => {
  await recordArrival(hub, arrived("two", { recipients: [7] }));
  await recordArrival(hub, arrived("two", { recipients: [7, 8] }));
  expect(await recipientsOf("two")).toEqual([7, 8]);
  await end("two");
  await recordArrival(hub, arrived("two", { recipients: [8] }));
  expect(await rowOf("two")).toMatchObject({ state: "done" });
  await recordArrival(hub, arrived("two", { recipients: [9] }));
  expect(await rowOf("two")).toMatchObject({ state: "waiting", attempts: 0, bytes: '{"name":"two é"}' });
  expect(await recipientsOf("two")).toEqual([7, 8, 9]);
});

test("is not kept out by others who were faster with its id", async () => {
  const stranger = { signer: "https://other.example/users/mallory", bytes: Buffer.from("{}") };
  await recordArrival(hub, arrived("three", stranger));
  await recordArrival(hub, arrived("three"));
  expect(await rowOf("three")).toMatchObject({ signer: arrived("three").signer, bytes: '{"name":"three é"}' });
  await end("three");
  await recordArrival(hub, arrived("three", stranger));
  expect(await rowOf("three")).toMatchObject({ signer: arrived("three").signer, state: "done" });
});

test("what comes at the same moment is kept all the same, and once", async () => {
  const names = Array.from({ length: 20 }, (_, n) => `crowd-${n % 15}`);
  const before = heard;
  await Promise.all(names.map((name) => recordArrival(hub, arrived(name))));
  expect(heard - before).toBe(15);
  for (const name of new Set(names)) expect(await rowOf(name)).toMatchObject({ bytes: `{"name":"${name} é"}` });
});
