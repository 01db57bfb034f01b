import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openTestHub } from "../../test/support/hub.ts";
import type { TestHub } from "../../test/support/hub.ts";
import { BlobsAway } from "../errors.ts";
import { inTransaction, now, openHub } from "../hub.ts";
import { zeroDate } from "../storage/sql.ts";
import { regularJobs } from "./kinds.ts";
import type { JobKind } from "./kinds.ts";
import { addJob, addJobs, countJobs, setBackJobs } from "./queue.ts";
import type { JobOptions } from "./queue.ts";
import { listJobs, retryJobs } from "./operate.ts";
import { runDue, startRunner } from "./runner.ts";
import type { Runner } from "./runner.ts";
import { jobs } from "./table.ts";
import { findUnknown, forgetUnknown } from "./unknown.ts";

type Work = (n: number) => Promise<void> | void;

let hub: TestHub;
let work: Work;
let ran: number[];

beforeEach(async () => {
  hub = await openTestHub();
  ran = [];
  work = () => undefined;
  vi.spyOn(jobs, "expire-item").mockImplementation(async (_, { message: n }) => {
    ran.push(n);
    await work(n);
  });
});

afterEach(async () => {
  vi.restoreAllMocks();
  await hub.close();
});

const add = (n: number, options: JobOptions = {}) => addAll([n], options);
const addAll = (numbers: number[], options: JobOptions = {}) =>
  addJobs(
    hub,
    "expire-item",
    numbers.map((n) => ({ message: n })),
    options,
  );
const rows = () => hub.db.selectFrom("job").selectAll().orderBy("id").execute();
const blobsAway = (): never => {
  throw new BlobsAway(new Error("nobody there"));
};
const failing = (): never => {
  throw new Error("no luck");
};

describe("a lane", () => {
  test("is worked off one by one, while other lanes go on", async () => {
    let together = 0;
    let most = 0;
    work = async (n) => {
      if (n >= 10) return;
      together += 1;
      most = Math.max(most, together);
      await sleep(5);
      together -= 1;
    };
    for (const n of [1, 2, 3, 4]) await add(n, { lane: "slow" });
    await add(10, { lane: "other" });
    await runDue(hub);
    expect(most).toBe(1);
    expect(ran.filter((n) => n < 10)).toEqual([1, 2, 3, 4]);
    expect(ran).toContain(10);
  });

  test("may be longer than what is looked at, and its first job the last to be due", async () => {
    await add(0, { lane: "long", at: "2026-03-01 11:59:59" });
    const others = Array.from({ length: 250 }, (_, n) => n + 1);
    await addAll(others, { lane: "long", at: "2026-03-01 11:00:00" });
    await runDue(hub);
    expect(ran).toEqual([0, ...others]);
  });

  test("holds up nobody else, however long it is", async () => {
    const long = Array.from({ length: 250 }, (_, n) => n);
    await addAll(long, { lane: "long", at: "2026-03-01 11:00:00" });
    await add(1001, { lane: "other" });
    await add(1002);
    await runDue(hub);
    expect(ran).toHaveLength(252);
    expect([ran.indexOf(1001), ran.indexOf(1002)].every((place) => place < 10)).toBe(true);
  });

  test("is not held up by a job that has to be tried again", async () => {
    work = (n) => (n === 1 ? failing() : undefined);
    await add(1, { lane: "bumpy" });
    await add(2, { lane: "bumpy" });
    await runDue(hub);
    expect(ran).toEqual([1, 2]);
  });
});

test("nothing is left when a lane is free again during the look for more", async () => {
  for (let turns = 0; turns < 150; turns++) {
    ran = [];
    const ended = Promise.withResolvers<void>();
    work = async (n) => {
      if (n === 10) setImmediate(ended.resolve);
      if (n !== 1) return;
      await ended.promise;
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    };
    await addAll([1, 2], { lane: "slow" });
    await add(10);
    await runDue(hub);
    expect(ran.toSorted((a, b) => a - b)).toEqual([1, 2, 10]);
  }
});

describe("the queue", () => {
  test("what was due before the clock was set back is due after it, and nothing else", async () => {
    await add(1);
    await add(2, { at: "2026-03-01 12:00:01" });
    const was = hub.clock();
    hub.advance(-3600);
    await runDue(hub);
    expect(ran).toEqual([]);
    await setBackJobs(hub, was);
    await runDue(hub);
    expect(ran).toEqual([1]);
  });

  test("a job exists exactly when the change that caused it does", async () => {
    await expect(
      inTransaction(hub, async (hub) => {
        await addJob(hub, "expire-item", { message: 1 });
        throw new Error("half-way");
      }),
    ).rejects.toThrow("half-way");
    expect(await rows()).toEqual([]);
    let woken = 0;
    hub.wake = () => void woken++;
    await inTransaction(hub, async (hub) => {
      await addJob(hub, "expire-item", { message: 1 });
      expect(woken).toBe(0);
    });
    expect(woken).toBe(1);
  });

  test("has at most one job of a key, until that is done or given up", async () => {
    await add(1, { key: "k" });
    await add(2, { key: "k" });
    await add(3, { key: "other" });
    expect((await rows()).map((row) => row.payload)).toEqual(['{"message":1}', '{"message":3}']);
    await runDue(hub);
    expect(ran.toSorted()).toEqual([1, 3]);
    work = failing;
    await add(4, { key: "k" });
    await hub.db.updateTable("job").set({ attempts: 7 }).execute();
    await runDue(hub);
    expect(await countJobs(hub)).toEqual({ waiting: 0, dead: 1 });
    work = () => undefined;
    await add(5, { key: "k" });
    await runDue(hub);
    expect(ran).toContain(5);
  });

  test("takes several at once, and none", async () => {
    await addAll([1, 2]);
    await addAll([]);
    await runDue(hub);
    expect(ran.toSorted()).toEqual([1, 2]);
  });
});

describe("running", () => {
  test("waits for the time of a job, and removes what is done", async () => {
    await add(1, { at: "2026-03-01 12:00:01" });
    await runDue(hub);
    expect(ran).toEqual([]);
    hub.advance(1);
    await runDue(hub);
    await runDue(hub);
    expect(ran).toEqual([1]);
    expect(await rows()).toEqual([]);
  });

  test("runs what the work causes, too", async () => {
    work = async (n) => {
      if (n < 3) await add(n + 1);
    };
    await add(1);
    await runDue(hub);
    expect(ran).toEqual([1, 2, 3]);
  });

  test("tries again with longer and longer waits, and then gives up", async () => {
    work = failing;
    await add(1);
    const waits: number[] = [];
    for (let round = 0; round < 8; round++) {
      const moment = hub.clock().getTime();
      await runDue(hub);
      const row = (await rows())[0]!;
      expect(row).toMatchObject({
        attempts: round + 1,
        leased_until: zeroDate,
        last_error: "Error: no luck",
        dead: round === 7 ? 1 : 0,
      });
      waits.push((new Date(`${row.run_at.replace(" ", "T")}Z`).getTime() - moment) / 1000);
      hub.advance(waits.at(-1)!);
    }
    expect(waits.slice(0, 7)).toEqual([5, 30, 120, 600, 3600, 14_400, 43_200]);
    await runDue(hub);
    expect(ran).toHaveLength(8);
    expect(await listJobs(hub, false)).toEqual([]);
    expect(await listJobs(hub, true)).toMatchObject([
      { name: "expire-item", payload: { message: 1 }, last_error: "Error: no luck" },
    ]);
  });

  test("goes on for as long as what it needs is away, soon after it is back, and counts no attempt", async () => {
    work = blobsAway;
    await add(1);
    for (let round = 0; round < 12; round++) {
      await runDue(hub);
      expect(await rows()).toMatchObject([{ attempts: 0, dead: 0, leased_until: zeroDate }]);
      hub.advance(7);
    }
    work = () => undefined;
    await runDue(hub);
    expect([ran.length, await rows()]).toEqual([13, []]);
  });

  test("the operator gives another round, of all or of some", async () => {
    work = failing;
    await addAll([1, 2]);
    await hub.db.updateTable("job").set({ attempts: 7 }).execute();
    await runDue(hub);
    const [first] = await listJobs(hub, true);
    expect(await retryJobs(hub, [])).toBe(0);
    expect(await retryJobs(hub, [987_654])).toBe(0);
    work = () => undefined;
    expect(await retryJobs(hub, [first!.id])).toBe(1);
    await runDue(hub);
    expect(await countJobs(hub)).toEqual({ waiting: 0, dead: 1 });
    expect(await retryJobs(hub)).toBe(1);
    await runDue(hub);
    expect(await rows()).toEqual([]);
  });

  test("a job that has another payload fails and is kept", async () => {
    const stored = { payload: '{"message":"x"}' };
    await add(1);
    await hub.db.updateTable("job").set(stored).execute();
    await add(2);
    await runDue(hub);
    expect(ran).toEqual([2]);
    expect(await rows()).toMatchObject([{ ...stored, attempts: 1, dead: 0 }]);
  });

  test("a job that always takes its worker along is given up", async () => {
    await add(1);
    await hub.db.updateTable("job").set({ attempts: 8 }).execute();
    await runDue(hub);
    expect(ran).toEqual([]);
    expect(await countJobs(hub)).toEqual({ waiting: 0, dead: 1 });
  });
});

describe("a kind that this program does not know", () => {
  /** As a newer version adds it. */
  const addNewer = ({ name = "bake-bread", lane = "" } = {}) =>
    hub.db
      .insertInto("job")
      .values({ name, payload: "{}", lane, run_at: now(hub), leased_until: zeroDate, created: now(hub) })
      .execute();

  test("is left to who knows it, as is what follows in its lane, and holds up nothing else", async () => {
    for (let times = 0; times < 250; times++) await addNewer();
    await addNewer({ name: "toString" });
    await addNewer({ lane: "shared" });
    await add(1, { lane: "shared" });
    await add(2, { lane: "other" });
    await add(3);
    await runDue(hub);
    hub.advance(24 * 3600);
    await runDue(hub);
    expect(ran).toEqual([2, 3]);
    const left = (await rows()).filter(({ name }) => name !== "expire-item");
    expect(left).toHaveLength(252);
    expect(new Set(left.map((row) => [row.attempts, row.dead, row.leased_until, row.last_error].join()))).toEqual(
      new Set([`0,0,${zeroDate},`]),
    );
    const since = "2026-03-01 12:00:00";
    expect(await findUnknown(hub)).toEqual([
      { name: "bake-bread", count: 251, since },
      { name: "toString", count: 1, since },
    ]);
  });

  test("goes when the operator says that nobody will do it, and no other one does", async () => {
    await addNewer({ lane: "shared" });
    await add(1, { lane: "shared" });
    expect(await forgetUnknown(hub, "expire-item")).toBe(0);
    expect(await forgetUnknown(hub, "bake-bread")).toBe(1);
    await runDue(hub);
    expect([ran, await findUnknown(hub)]).toEqual([[1], []]);
  });
});

describe("a runner", () => {
  let runner: Runner | undefined;
  afterEach(() => runner?.stop());
  /** What is planned regularly is not looked at here. */
  const begin = async (): Promise<void> => {
    runner = await startRunner(hub);
    await runner.drain();
  };

  test("begins what comes while something takes long", async () => {
    const long = Promise.withResolvers<void>();
    work = (n) => (n === 1 ? long.promise : undefined);
    await begin();
    await add(1);
    await expect.poll(() => ran).toEqual([1]);
    await add(2);
    await expect.poll(() => ran).toEqual([1, 2]);
    long.resolve();
  });

  test("tries few of a kind that needs what is away, does all others, and then all of it", async () => {
    vi.spyOn(jobs, "notify-poll").mockResolvedValue();
    work = blobsAway;
    const many = Array.from({ length: 300 }, (_, n) => n);
    await addAll(many, { at: "2026-03-01 11:00:00" });
    await begin();
    await expect.poll(() => ran.length).toBeGreaterThan(0);
    await addJobs(hub, "notify-poll", [{ message: 1 }]);
    await expect.poll(() => vi.mocked(jobs["notify-poll"]).mock.calls).toHaveLength(1);
    await sleep(1500);
    expect(ran.length).toBeLessThan(20);
    work = () => undefined;
    hub.advance(7);
    await expect.poll(async () => (await rows()).filter(({ name }) => name === "expire-item")).toEqual([]);
    expect(new Set(ran)).toEqual(new Set(many));
  });

  test("loses what it has begun 12 s after it has said for the last time that it is at work", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const long = Promise.withResolvers<void>();
    work = () => (ran.length === 1 ? long.promise : undefined);
    await begin();
    await add(1);
    await expect.poll(() => ran).toEqual([1]);
    hub.advance(11);
    vi.advanceTimersByTime(4000);
    const lease = async () => (await rows()).find(({ name }) => name === "expire-item")!.leased_until;
    await expect.poll(lease).toBe("2026-03-01 12:00:23");
    hub.advance(11);
    await runDue(hub);
    expect(ran).toEqual([1]);
    hub.advance(1);
    await runDue(hub);
    expect(ran).toEqual([1, 1]);
    long.resolve();
    vi.useRealTimers();
  });
});

/** As earlier versions have stored them; this list only grows. */
const stored: Record<JobKind, string[]> = {
  "deliver-item": ['{"item":1}'],
  "deliver-answer": ['{"owner":1,"message":1}'],
  "follow-attendance": ['{"uid":1,"message":1}'],
  "note-mentions": ['{"item":1}'],
  "time-announcement": ['{"announcement":1}'],
  "notify-edit": ['{"message":1}'],
  "notify-poll": ['{"message":1}'],
  "publish-item": ['{"item":1}'],
  "expire-item": ['{"message":1}'],
  "end-shares": ['{"message":1}'],
  "empty-shares": ['{"message":1,"mid":"https://a.example/item/1"}'],
  "end-keeping": ['{"owner":1}'],
  "apply-site-blocks": ["{}"],
  "forget-person": ['{"xchan":1}'],
  "end-channel": ['{"channel":1,"xchan":1}'],
  "empty-cloud": ['{"channel":1}'],
  "forget-channel": ['{"channel":1,"xchan":1}'],
  "bring-posts": ['{"uid":1,"person":2}'],
  "drop-items": ['{"uid":1,"xchan":"abc"}'],
  "end-mute": ['{"channel":1,"person":"https://a.example/a"}'],
  "follow-moved": ['{"channel":1,"person":"https://a.example/a","successor":"https://b.example/a"}'],
  "name-successor": ['{"channel":1,"person":"https://a.example/a","successor":"https://b.example/a"}'],
  "back-fill": ['{"person":1}', '{"person":1,"missed":true}', '{"person":1,"posts":["https://a.example/1"]}'],
  "catch-up": ["{}", '{"after":1}'],
  "fetch-answers": [
    '{"message":1}',
    '{"message":1,"walk":{"step":1,"asked":1,"posts":0,"waiting":[{"url":"https://a.example/1","level":1,"page":1,"instead":[{"url":"https://a.example/2","level":1}]},{"url":"https://a.example/3","level":3,"again":true}],"seen":["https://a.example/1"],"free":{"https://a.example":1}}}',
  ],
  "fetch-avatar": [
    '{"xchan":1,"url":"https://hub.example/a.png"}',
    '{"xchan":1,"url":"https://hub.example/b.png","attempt":1}',
    '{"xchan":1,"url":"https://hub.example/c.png","use":"cover"}',
  ],
  "trim-sketches": ["{}"],
  "trim-unattached": ["{}"],
  "fetch-emoji": ['{"emoji":1}'],
  "make-link-card": ['{"card":1}', '{"card":1,"attempt":1}'],
  "take-first-contacts": ['{"channel":1,"person":999999}'],
  "compare-followers": [
    '{"actor":"https://a.example/a","collection":"https://a.example/f","url":"https://a.example/s","digest":"00"}',
  ],
  "count-actor": ['{"actor":"https://far.example/users/ann"}'],
  "recount-poll": ['{"message":1}'],
  "find-mentioned": [
    '{"message":1,"host":"a.example","people":[{"href":"https://a.example/@ann","address":"ann@hub.example"}]}',
  ],
  "verify-links": ['{"actor":"https://far.example/users/ann"}'],
  "trim-queues": ["{}"],
  "meet-actor": ['{"actor":"https://far.example/users/ann"}'],
  "drop-blobs": ['{"names":["aa"]}', '{"names":[]}'],
  "take-long-step": ['{"step":"index-words"}'],
  "index-words": ['{"below":1}'],
  "lay-out-profiles": ["{}"],
  "run-import": ['{"run":1}'],
  "go-through-list": ['{"list":1,"turn":0}'],
  "leave-old-hub": ['{"run":1,"nick":"ann","attempt":0}'],
  "forgotten-password": ['{"email":"ann@example.org"}', '{"email":"ann@example.org","language":"de"}'],
  "mail-notices": ['{"uid":1,"way":"digest"}'],
  "tell-webhooks": ['{"told":[{"message":1,"from":1,"to":1}]}'],
  "send-webhook": ['{"delivery":1}', '{"delivery":1,"turn":1,"byHand":true}'],
  "trim-webhooks": ["{}"],
  push: ['{"subscription":1,"notice":1}', '{"subscription":1,"notice":1,"attempt":1}'],
  "send-letter": ['{"letter":1}'],
  "trim-letters": ["{}"],
  "ask-again": ["{}"],
  "ask-software": ["{}"],
  "end-filters": ["{}"],
  "empty-media": ["{}"],
  "sweep-staging": ["{}"],
  "sweep-uploads": ["{}"],
  "expire-threads": ["{}"],
  "purge-tombstones": ["{}"],
  "sweep-oauth": ["{}"],
  "sweep-tallies": ["{}"],
  "trim-reports": ["{}"],
  "trim-moderation": ["{}"],
  "take-figures": ["{}"],
  "trim-figures": ["{}"],
  "drop-unconfirmed": ["{}"],
  "confirm-address": ['{"account":1,"language":"de"}'],
  "notify-sign-up": ['{"account":1}'],
  "notify-report": ['{"report":1}'],
  "trim-lists": ["{}"],
  "trim-follows": ["{}"],
  "refresh-block-lists": ["{}"],
  "trim-link-cards": ["{}"],
  "trim-live": ["{}"],
  "trim-push": ["{}"],
  "hash-photos": ["{}"],
  "back-up": ["{}"],
  "plan-archives": ["{}"],
  "send-archive": ['{"uid":1}'],
  "trim-peers": ["{}"],
  "trim-actors": ["{}"],
  "drop-old-keys": ["{}"],
  "trim-media": ["{}"],
  "trim-notices": ["{}"],
  federate: [
    '{"channel":1,"deed":{"deed":"say","message":1}}',
    '{"channel":1,"deed":{"deed":"vote","message":1}}',
    '{"channel":1,"deed":{"deed":"describe"}}',
    '{"channel":1,"deed":{"deed":"depart","stamp":"2026-10-01 12:00:00"}}',
    '{"channel":1,"deed":{"deed":"arrive","person":"https://far.example/users/eva","former":"https://old.example/channel/ann"}}',
    '{"channel":1,"deed":{"deed":"leave","nick":"ann"}}',
    '{"channel":1,"deed":{"deed":"write","mail":1,"answers":""}}',
    '{"channel":1,"deed":{"deed":"recall","mid":"https://hub.example/item/1","person":"https://far.example/ann"}}',
    '{"channel":1,"deed":{"deed":"remove","message":1,"object":"https://far.example/1","thread":"u","moment":"2026-03-01 12:00:00","wasPublic":true}}',
    '{"channel":1,"deed":{"deed":"change","message":1,"stamp":"2"}}',
    '{"channel":1,"deed":{"deed":"withdraw","message":1,"uuid":"u","author":1,"moment":"2026-03-01 12:00:00","kind":"note","about":"","wasPublic":true}}',
    '{"channel":1,"deed":{"deed":"follow","follow":"https://hub.example/follow/1","person":"https://far.example/ann"}}',
    '{"channel":1,"deed":{"deed":"unfollow","follow":"https://hub.example/follow/1","person":"https://far.example/ann"}}',
    '{"channel":1,"deed":{"deed":"accept","follow":"https://far.example/1","person":"https://far.example/ann","stamp":"s"}}',
    '{"channel":1,"deed":{"deed":"reject","follow":"https://far.example/1","person":"https://far.example/ann","stamp":"s"}}',
  ],
};

test.each(Object.entries(stored))("a %s that an older version has stored still runs", async (name, payloads) => {
  const doing = vi.spyOn(jobs, name as JobKind).mockResolvedValue();
  const row = { name, run_at: now(hub), created: now(hub) };
  await hub.db
    .insertInto("job")
    .values(payloads.map((payload) => ({ ...row, payload })))
    .execute();
  await runDue(hub);
  expect(doing.mock.calls.map(([, payload]) => JSON.stringify(payload)).toSorted()).toEqual(payloads.toSorted());
});

test("the compiler checks what a job is given", () => {
  const wrong = [
    // @ts-expect-error: it is delivered by the number of an item
    () => addJob(hub, "deliver-item", { message: 1 }),
    // @ts-expect-error: there is no such kind
    () => addJob(hub, "deliver-items", { item: 1 }),
  ];
  expect(wrong).toHaveLength(2);
});

describe("leases", () => {
  test("keep a job from others while it runs, and give it back when the worker has died", async () => {
    let finish = (): void => undefined;
    work = () => new Promise((resolve) => void (finish = resolve));
    await add(1);
    const first = runDue(hub);
    while (ran.length === 0) await sleep(5);
    await runDue(hub);
    expect(ran).toEqual([1]);
    hub.advance(121);
    const finishFirst = finish;
    const second = runDue(hub);
    while (ran.length < 2) await sleep(5);
    // The first worker comes back late: the job is the second one's now.
    finishFirst();
    await first;
    expect(await rows()).toMatchObject([{ attempts: 2 }]);
    finish();
    await second;
    expect(await rows()).toEqual([]);
  });

  test("two workers on one database never run a job at once", async () => {
    const other = await openHub(hub.config, { clock: hub.clock });
    const running = new Set<number>();
    let clashes = 0;
    work = async (n) => {
      if (running.has(n)) clashes++;
      running.add(n);
      await sleep(1);
      running.delete(n);
    };
    const numbers = Array.from({ length: 120 }, (_, n) => n);
    await addAll(numbers);
    // SQLite's busy handler would block this one process, so there the two take turns; PostgreSQL has them side by side.
    if (hub.engine === "postgres") await Promise.all([runDue(hub), runDue(other), runDue(hub), runDue(other)]);
    else await Promise.all([runDue(hub), runDue(hub)]);
    await runDue(other);
    await other.close();
    expect(clashes).toBe(0);
    expect(ran.toSorted((a, b) => a - b)).toEqual(numbers);
    expect(await rows()).toEqual([]);
  });
});

describe("the runner", () => {
  test("plans the regular jobs once, and again after each run", async () => {
    const runner = await startRunner(hub);
    await runner.drain();
    await runner.stop();
    const again = await startRunner(hub);
    await again.stop();
    const planned = await rows();
    expect(planned.map((row) => row.name).toSorted()).toEqual(regularJobs.map(([kind]) => kind).toSorted());
    for (const row of planned) expect(row).toMatchObject({ attempts: 0, dead: 0, leased_until: zeroDate });
    expect(planned.every((row) => row.run_at > now(hub))).toBe(true);
    hub.advance(25 * 3600);
    await runDue(hub);
    expect(await rows()).toHaveLength(regularJobs.length);
  });

  test("a regular job that fails is tried again no later than usual, and never given up", async () => {
    vi.spyOn(jobs, "sweep-oauth").mockRejectedValue(new Error("no luck"));
    await addJob(hub, "sweep-oauth", {}, { key: "sweep-oauth" });
    await hub.db.updateTable("job").set({ attempts: 20 }).execute();
    await runDue(hub);
    expect(await rows()).toMatchObject([
      { dead: 0, run_at: "2026-03-01 12:10:00", unique_key: "sweep-oauth", last_error: "Error: no luck" },
    ]);
  });

  test("is woken by work, finishes what it has begun, and begins nothing after that", async () => {
    const runner = await startRunner(hub);
    await runner.drain();
    let finish = (): void => undefined;
    work = (n) => (n === 1 ? new Promise((resolve) => void (finish = resolve)) : undefined);
    await add(1);
    while (!ran.includes(1)) await sleep(5);
    for (let n = 2; n < 40; n++) await add(n);
    const stopping = runner.stop();
    finish();
    await stopping;
    const left = ran.length;
    await add(99);
    await sleep(30);
    expect(ran.length).toBe(left);
    expect(ran).not.toContain(99);
    expect((await rows()).filter((row) => row.name === "expire-item").length).toBe(40 - left);
  });

  test("drains what is under way as well", async () => {
    const runner = await startRunner(hub);
    work = () => sleep(20);
    await addAll([1, 2, 3, 4, 5]);
    await runner.drain();
    expect(ran.toSorted()).toEqual([1, 2, 3, 4, 5]);
    expect((await rows()).filter((row) => row.name === "expire-item")).toEqual([]);
    await runner.stop();
  });
});
