import { connect } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Fetch } from "../src/fetch.ts";
import { inBackground, inTransaction } from "../src/hub.ts";
import type { Hub } from "../src/hub.ts";
import { addJob } from "../src/jobs/queue.ts";
import { listJobs } from "../src/jobs/runner.ts";
import { jobs } from "../src/jobs/table.ts";
import { startHub } from "../src/main.ts";
import type { RunningHub } from "../src/main.ts";
import { zeroDate } from "../src/storage/sql.ts";
import { basic } from "./support/client.ts";
import { makeChannel, onPostgres, openTestHub, password } from "./support/hub.ts";
import type { TestHub } from "./support/hub.ts";

/** Nobody who works stops the hub for others, and stopping leaves nobody without an answer. */

let settings: TestHub;
let running: RunningHub;
let work: (hub: Hub) => Promise<void>;
let fetchFar: Fetch;

const trial = { name: "trial", payload: z.object({}), run: (hub: Hub) => work(hub) };

beforeEach(async () => {
  settings = await openTestHub();
  running = await startAgain();
  jobs.push(trial);
});

afterEach(async () => {
  jobs.splice(jobs.indexOf(trial), 1);
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

describe("jobs", () => {
  test("a request is answered while a job works", async () => {
    const most = 20_000;
    let steps = 0;
    let isAnswered = false;
    work = async (hub) => {
      for (; steps < most && !isAnswered; steps++) await inTransaction(hub, ask);
    };
    await addJob(running.hub, "trial", {});
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
    await addJob(running.hub, "trial", {});
    await expect.poll(() => steps, { interval: 1 }).toBeGreaterThan(2);
    await running.close();
    expect(steps).toBeLessThan(endless);
    const row = (await listJobs(settings, false)).find(({ name }) => name === "trial");
    expect(row).toMatchObject({ attempts: 0, leased_until: zeroDate, last_error: "" });
    const kept = await settings.db.selectFrom("config").select("k").where("cat", "=", "trial").execute();
    expect(kept).toHaveLength(steps);
    work = () => Promise.resolve(void (stepsOfNext += 1));
    running = await startAgain();
    await expect.poll(() => stepsOfNext).toBe(1);
    await expect.poll(async () => (await listJobs(settings, false)).map(({ name }) => name)).not.toContain("trial");
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
    await addJob(running.hub, "trial", {});
    await expect.poll(() => asked).toBe(true);
    await running.close();
    expect((await listJobs(settings, false)).find(({ name }) => name === "trial")).toMatchObject({ attempts: 0 });
    work = () => Promise.resolve();
    running = await startAgain();
  });
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

/** One who posts over one connection as fast as answers come, until there are no more. */
type Writer = { answered: string[]; wasLast: boolean; ended: Promise<void> };

function writer(name: string, authorization: string): Writer {
  const { port } = new URL(running.url);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const who: Writer = { answered: [], wasLast: false, ended };
  const socket = connect(Number(port), "127.0.0.1");
  let sent = 0;
  const send = (): void => {
    const body = `body=${name}-${++sent}`;
    const head = `Host: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/x-www-form-urlencoded`;
    socket.write(`POST /api/z/1.0/item/update HTTP/1.1\r\n${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  };
  let text = "";
  socket.on("connect", send);
  socket.on("error", () => undefined);
  socket.on("close", () => resolve());
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    const head = text.indexOf("\r\n\r\n");
    const length = Number(/content-length: *(\d+)/i.exec(text)?.[1] ?? Number.NaN);
    if (head < 0 || text.length < head + 4 + length) return;
    if (text.startsWith("HTTP/1.1 200")) who.answered.push(`${name}-${sent}`);
    who.wasLast = /\r\nconnection: close\r\n/i.test(text);
    text = "";
    if (!who.wasLast) send();
  });
  return who;
}

describe("stopping", () => {
  test("whoever writes meanwhile is answered, is told that it was the last answer, and then finds nobody", async () => {
    await makeChannel(running.hub, "alma");
    const login = basic(`alma:${password}`);
    // Passwords take long when they are checked for the first time.
    await fetch(`${running.url}/api/z/1.0/verify`, { headers: { authorization: login } });
    const writers = Array.from({ length: 40 }, (_, n) => writer(`w${n}`, login));
    await expect.poll(() => writers.every(({ answered }) => answered.length > 0), { interval: 5 }).toBe(true);
    const { url } = running;
    const closed = running.close();
    await Promise.all(writers.map(({ ended }) => ended));
    await closed;
    const bodies = await settings.db.selectFrom("message").select("body").where("body", "like", "w%").execute();
    const answered = writers.flatMap((one) => one.answered);
    expect(writers.filter(({ wasLast }) => !wasLast)).toEqual([]);
    expect(bodies.map(({ body }) => body).toSorted()).toEqual(answered.toSorted());
    await expect(fetch(`${url}/api/z/1.0/version`)).rejects.toThrow("fetch failed");
    running = await startAgain();
  });
});
