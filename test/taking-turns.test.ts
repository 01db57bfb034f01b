import { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Stopping } from "../src/errors.ts";
import type { Fetch } from "../src/fetch/fetch.ts";
import { inBackground, inTransaction } from "../src/hub.ts";
import type { Hub } from "../src/hub.ts";
import { addJob } from "../src/jobs/queue.ts";
import { listJobs } from "../src/jobs/operate.ts";
import { jobs } from "../src/jobs/table.ts";
import { startHub } from "../src/main.ts";
import type { RunningHub } from "../src/main.ts";
import { zeroDate } from "../src/storage/sql.ts";
import { onPostgres, openTestHub } from "./support/hub.ts";
import type { TestHub } from "./support/hub.ts";

/** Nobody who works stops the hub for others. */

let settings: TestHub;
let running: RunningHub;
let work: (hub: Hub) => Promise<void>;
let fetchFar: Fetch;

beforeEach(async () => {
  settings = await openTestHub();
  running = await startAgain();
  vi.spyOn(jobs, "expire-item").mockImplementation((hub) => work(hub));
});

afterEach(async () => {
  vi.restoreAllMocks();
  await running.close();
  await settings.close();
});

function startAgain(): Promise<RunningHub> {
  const config = { ...settings.config, listen: { address: "127.0.0.1", port: 0 } };
  return startHub(config, { makeKeys: settings.makeKeys, fetch: (...request) => fetchFar(...request) });
}

/** As short as a statement can be. */
const ask = (hub: Hub): Promise<unknown> => hub.db.selectFrom("config").select("id").limit(1).execute();

const endless = 1_000_000;
/** On PostgreSQL every statement lets the loop turn. */
const many = onPostgres ? 100 : 5000;

async function written(hub: Hub, name: string): Promise<void> {
  const row = { uid: 0, cat: "trial", k: name, v: "", updated: zeroDate };
  await inTransaction(hub, (hub) => hub.db.insertInto("config").values(row).execute());
}

describe("the event loop", () => {
  test.each([
    ["statements", async (hub: Hub) => void (await ask(hub))],
    ["transactions", (hub: Hub) => inTransaction(hub, async (hub) => void (await ask(hub)))],
  ])("turns while %s follow one another", async (_, one) => {
    let turns = 0;
    let isOver = false;
    const counting = (async () => {
      for (; !isOver; turns++) await turn();
    })();
    for (let n = 0; n < many; n++) await one(settings);
    isOver = true;
    await counting;
    expect(turns).toBeGreaterThan(5);
  });

  test("turns between those whose changes came to the disk together", async () => {
    const began: number[] = [];
    let turns = 0;
    let isOver = false;
    const counting = (async () => {
      for (; !isOver; turns++) await turn();
    })();
    const one = async (_: unknown, n: number): Promise<void> => {
      await written(settings, `together ${n}`);
      began.push(turns);
      const end = performance.now() + 3;
      while (performance.now() < end);
    };
    await Promise.all(Array.from({ length: 30 }, one));
    isOver = true;
    await counting;
    expect(new Set(began).size).toBeGreaterThan(5);
  });

  test("turns within a transaction, and others read meanwhile", async () => {
    let read = 0;
    let isOver = false;
    const reading = (async () => {
      for (; !isOver; read++) {
        await turn();
        await ask(settings);
      }
    })();
    await inTransaction(settings, async (hub) => {
      for (let n = 0; n < 20_000 && read <= 5; n++) await ask(hub);
    });
    isOver = true;
    await reading;
    expect(read).toBeGreaterThan(5);
  });
});

test("whoever needs very much does not hold up those who came later", async () => {
  let isOver = false;
  let statements = 0;
  const long = settings.inOrder(async () => {
    for (; statements < 1_000_000 && !isOver; statements++) await ask(settings);
  });
  for (let visits = 0; visits < 10; visits++)
    await settings.inOrder(async () => {
      for (let n = 0; n < many / 50; n++) await ask(settings);
    });
  isOver = true;
  await long;
  expect(statements).toBeLessThan(1_000_000);
});

describe("jobs", () => {
  test("a request is answered while a job works", async () => {
    const most = 20_000;
    let steps = 0;
    let isAnswered = false;
    work = async (hub) => {
      for (; steps < most && !isAnswered; steps++) await inTransaction(hub, ask);
    };
    await addJob(running.hub, "expire-item", { message: 1 });
    const { status } = await fetch(`${running.url}/api/z/1.0/version`);
    isAnswered = true;
    expect(status).toBe(200);
    expect(steps).toBeLessThan(most);
  });

  test("one that is under way when the hub stops ends at its next step, and begins anew with the next hub", async () => {
    let steps = 0;
    let stepsOfNext = 0;
    work = async (hub) => {
      for (; steps < endless; steps++) await written(hub, `step ${steps}`);
    };
    await addJob(running.hub, "expire-item", { message: 1 });
    await expect.poll(() => steps, { interval: 1 }).toBeGreaterThan(2);
    await running.close();
    expect(steps).toBeLessThan(endless);
    const row = (await listJobs(settings, false)).find(({ name }) => name === "expire-item");
    expect(row).toMatchObject({ attempts: 0, leased_until: zeroDate, last_error: "" });
    const kept = await settings.db.selectFrom("config").select("k").where("cat", "=", "trial").execute();
    expect(kept).toHaveLength(steps);
    work = () => Promise.resolve(void (stepsOfNext += 1));
    running = await startAgain();
    await expect.poll(() => stepsOfNext).toBe(1);
    await expect
      .poll(async () => (await listJobs(settings, false)).map(({ name }) => name))
      .not.toContain("expire-item");
  });

  test("one that asks another server is not waited for", async () => {
    let asked = false;
    fetchFar = (_, options) => {
      asked = true;
      return new Promise((_, reject) => options?.signal?.addEventListener("abort", () => reject(new Error("cut off"))));
    };
    work = async (hub) => {
      await hub.fetch("http://far.example/").catch(() => undefined);
      await ask(hub);
    };
    await addJob(running.hub, "expire-item", { message: 1 });
    await expect.poll(() => asked).toBe(true);
    await running.close();
    expect((await listJobs(settings, false)).find(({ name }) => name === "expire-item")).toMatchObject({ attempts: 0 });
    work = () => Promise.resolve();
    running = await startAgain();
  });
});

test("who reads bytes in the background is not waited for either", async () => {
  const bytes = function* (): Generator<Buffer> {
    for (;;) yield Buffer.alloc(1000);
  };
  const blobs = { ...settings.blobs, read: () => Promise.resolve(Readable.from(bytes())) };
  const stopping = new AbortController();
  const background = inBackground({ ...settings, blobs }, stopping.signal);
  let read = 0;
  const reading = (async () => {
    for await (const _ of await background.blobs.read("endless")) if (++read === 100) stopping.abort();
  })();
  await expect(reading).rejects.toThrow(Stopping);
  await expect(background.blobs.read("endless")).rejects.toThrow(Stopping);
});

describe("writing", () => {
  const never = new AbortController().signal;

  test("requests go before background work that waits already", async () => {
    const background = inBackground(settings, never);
    let done = 0;
    const all = Array.from({ length: 300 }, (_, n) => written(background, `background ${n}`).then(() => done++));
    await turn();
    await written(settings, "request");
    expect(done).toBeLessThan(300);
    await Promise.all(all);
  });

  test("background work comes to its end however many requests there are", async () => {
    let isOver = false;
    const requests = async (who: number): Promise<void> => {
      for (let n = 0; n < endless && !isOver; n++) await written(settings, `request ${who} ${n}`);
    };
    const all = Array.from({ length: 10 }, (_, who) => requests(who));
    for (let n = 0; n < 5; n++) await written(inBackground(settings, never), `background ${n}`);
    isOver = true;
    await Promise.all(all);
  });
});
