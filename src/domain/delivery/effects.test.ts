import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { BlobsAway, DatabaseAway, DiskRefuses, HubError, missing } from "../../errors.ts";
import { recordArrival } from "./arrivals.ts";
import type { Arrived } from "./arrivals.ts";
import { arrivals } from "./effects.ts";
import type { Arrival } from "./effects.ts";
import { Worker } from "./worker.ts";

let hub: TestHub;
let taken: Arrival[];
let effect: (arrival: Arrival) => Promise<void> | void;
let names = 0;

beforeAll(async () => {
  hub = await openTestHub();
});
afterAll(() => hub.close());
beforeEach(async () => {
  await hub.db.deleteFrom("inbox_activity").execute();
  [taken, effect] = [[], () => undefined];
});

const work = () =>
  new Worker(
    hub,
    arrivals(async (_, arrival) => {
      taken.push(arrival);
      await effect(arrival);
    }),
  ).drain();

async function arrive(more: Partial<Arrived> = {}): Promise<string> {
  const activityId = `https://far.example/activity/${++names}`;
  await recordArrival(hub, {
    activityId,
    signer: "https://far.example/users/carla",
    scheme: "cavage",
    bytes: Buffer.from(`{"n":${names}}`),
    recipients: [],
    objectId: `https://far.example/note/${names}`,
    ...more,
  });
  return more.activityId ?? activityId;
}

const rows = () => hub.db.selectFrom("inbox_activity").selectAll().orderBy("id").execute();
const away = (): never => {
  throw new HubError("unavailable", "They do not answer");
};

test("what came takes effect once, with those to whom it came", async () => {
  const activityId = await arrive({ recipients: [4, 2] });
  expect(await work()).toBe(1);
  expect(await work()).toBe(0);
  expect(taken).toMatchObject([
    { activityId, signer: "https://far.example/users/carla", scheme: "cavage", recipients: [2, 4] },
  ]);
  expect(Buffer.from(taken[0]!.bytes).toString()).toBe(`{"n":${names}}`);
  expect(await rows()).toMatchObject([{ state: "done", bytes: "", last_error: "" }]);
});

test("what is refused is over, what fails is tried five times within six hours and then kept", async () => {
  effect = () => {
    throw missing("Item");
  };
  await arrive();
  await work();
  expect(await rows()).toMatchObject([{ state: "done", attempts: 1 }]);
  await hub.db.deleteFrom("inbox_activity").execute();
  for (const failing of [
    away,
    (): never => {
      throw new TypeError("a fault of ours");
    },
  ]) {
    [taken, effect] = [[], failing];
    await arrive();
    for (const seconds of [60, 600, 3600, 6 * 3600 - 4260]) {
      expect(await work()).toBe(1);
      hub.advance(seconds - 1);
      expect(await work()).toBe(0);
      hub.advance(1);
    }
    await work();
    const [row] = await rows();
    expect(row).toMatchObject({ state: "failed", attempts: 5 });
    expect(row!.last_error).toMatch(/They do not answer|a fault of ours/);
    expect(row!.bytes).not.toBe("");
    await hub.db.deleteFrom("inbox_activity").execute();
  }
});

test("what the hub itself stands in the way of is tried for as long as that lasts, and soon afterwards", async () => {
  const cause = new Error("by the test");
  for (const fault of [new DiskRefuses("full", cause), new DatabaseAway(cause), new BlobsAway(cause)]) {
    effect = () => {
      throw fault;
    };
    await arrive();
    for (let round = 0; round < 10; round++) {
      await work();
      expect(await rows()).toMatchObject([{ state: "waiting", attempts: 0 }]);
      hub.advance(7);
    }
    effect = () => undefined;
    await work();
    expect(await rows()).toMatchObject([{ state: "done" }]);
    await hub.db.deleteFrom("inbox_activity").execute();
  }
});

test("activities of one object or thread take effect one after the other, others beside them", async () => {
  const [objectId, threadId] = ["https://far.example/note/one", "https://far.example/thread/one"];
  const of = ["object", "object", "thread", "thread", "alone"] as const;
  for (const what of of)
    await arrive(what === "object" ? { objectId } : what === "thread" ? { threadId } : { objectId: "alone" });
  const underWay = new Set<string>();
  let most = 0;
  effect = async ({ id }) => {
    const what = of[id - first]!;
    expect(underWay).not.toContain(what);
    underWay.add(what);
    most = Math.max(most, underWay.size);
    await new Promise((resolve) => setImmediate(resolve));
    underWay.delete(what);
  };
  const first = (await rows())[0]!.id;
  await work();
  expect(most).toBe(3);
  const order = taken.map(({ id }) => of[id - first]!);
  expect(order.filter((what) => what === "object")).toHaveLength(2);
  expect(taken.map(({ id }) => id).filter((id) => of[id - first] === "object")).toEqual([first, first + 1]);
});

test("one that has to be tried again holds up nobody until then", async () => {
  const objectId = "https://far.example/note/bumpy";
  const failing = await arrive({ objectId });
  const other = await arrive({ objectId });
  effect = ({ activityId }) => (activityId === failing ? away() : undefined);
  await work();
  expect(taken.map(({ activityId }) => activityId)).toEqual([failing, other]);
  effect = () => undefined;
  hub.advance(60);
  await work();
  expect((await rows()).map(({ state }) => state)).toEqual(["done", "done"]);
});

test("whoever gets it while it takes effect gets it afterwards", async () => {
  const activityId = await arrive({ recipients: [1] });
  effect = async () => {
    effect = () => undefined;
    await arrive({ activityId, recipients: [2] });
  };
  await work();
  hub.advance(60);
  await work();
  expect(taken.map(({ recipients }) => recipients)).toEqual([[1], [1, 2]]);
});

test("one host whose activities take long leaves room for the others", async () => {
  const slow = Promise.withResolvers<void>();
  for (let n = 0; n < 20; n++) await arrive();
  for (let n = 0; n < 20; n++) await arrive({ signer: `https://other${n}.example/users/x` });
  effect = ({ host }) => (host === "far.example" ? slow.promise : undefined);
  const working = work();
  await expect.poll(() => taken.length).toBe(24);
  slow.resolve();
  await working;
  expect(taken).toHaveLength(40);
});
