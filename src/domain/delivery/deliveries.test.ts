import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { actorOf } from "../../../test/support/actors.ts";
import { openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { newcomer } from "../../../test/support/people.ts";
import { DatabaseAway, DiskRefuses } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { closeChannel } from "../identity/channels/channels.ts";
import { backlogOf, isLeftOut, isTooMuch } from "./backlog.ts";
import { trimQueues } from "./trim.ts";
import { meetActor } from "../peers/meet-actor.ts";
import { findPeer } from "../peers/peers.ts";
import type { Answer } from "./answers.ts";
import { deliveries } from "./deliveries.ts";
import { setBackQueues } from "./due.ts";
import type { Courier, Delivery } from "./delivery.ts";
import { heardFrom } from "./heard.ts";
import { sendOut } from "./outgoing.ts";
import type { Addressee, Outgoing } from "./outgoing.ts";
import { Worker } from "./worker.ts";

let hub: TestHub;
/** What was asked for, and what each host answers. */
let posted: (Omit<Delivery, "bytes"> & { bytes: string })[];
let answers: Record<string, (delivery: Delivery) => Answer | Promise<Answer>>;
let metAgain: (xchanId: number) => Promise<void>;
let names = 0;

const courier: Courier = {
  post: async (_, delivery) => {
    posted.push({ ...delivery, bytes: delivery.bytes.toString() });
    return (await answers[delivery.host]?.(delivery)) ?? { scheme: "cavage", status: 202 };
  },
  meetAgain: (_, xchanId) => metAgain(xchanId),
};

const status =
  (status: number, more: { retryAfter?: number; scheme?: string } = {}) =>
  (): Answer => ({ scheme: "cavage", status, ...more });
const away = (): Answer => ({ scheme: "cavage", fault: "unreachable", detail: "connection refused" });

beforeAll(async () => {
  hub = await openTestHub();
});
afterAll(() => hub.close());
beforeEach(async () => {
  await hub.db.deleteFrom("delivery").execute();
  posted = [];
  answers = {};
  metAgain = () => Promise.resolve();
});

const work = () => new Worker(hub, deliveries(courier)).drain();
/** A host that no other case knows. */
const newHost = () => `h${++names}.example`;
const inbox = (host: string, people: number[] = [1], path = "inbox"): Addressee => ({
  inbox: `https://${host}/${path}`,
  people,
  shared: path === "inbox",
});

async function send(to: Addressee[], more: Partial<Outgoing> = {}): Promise<string> {
  const name = `n${++names}`;
  const objectId = `http://hub.example/item/${name}`;
  await sendOut(hub, [{ deed: `create ${name}`, variant: "", sender: 1, objectId, bytes: name, to, ...more }]);
  return more.objectId ?? objectId;
}

const rowsTo = (host: string) =>
  hub.db.selectFrom("delivery").selectAll().where("host", "=", host).orderBy("id").execute();
const rowTo = async (host: string) => (await rowsTo(host))[0]!;
const secondsUntil = (date: string) => (Date.parse(`${date.replace(" ", "T")}Z`) - hub.clock().getTime()) / 1000;

test("what was due before the clock was set back is due after it", async () => {
  const host = newHost();
  await send([inbox(host)]);
  const was = hub.clock();
  hub.advance(-3600);
  await work();
  expect(posted).toEqual([]);
  await setBackQueues(hub, was);
  await work();
  expect(posted).toHaveLength(1);
  hub.advance(3600);
});

describe("an answer", () => {
  test.each([
    [200, "done", ""],
    [202, "done", ""],
    [400, "failed", "status"],
    [405, "failed", "status"],
    [409, "failed", "status"],
    [413, "failed", "status"],
    [422, "failed", "status"],
    [418, "failed", "status"],
    [408, "waiting", "status"],
    [425, "waiting", "status"],
    [429, "waiting", "status"],
    [500, "waiting", "status"],
    [503, "waiting", "status"],
    [302, "waiting", "status"],
    [303, "waiting", "status"],
    [307, "waiting", "status"],
    [301, "failed", "moved"],
    [308, "failed", "moved"],
    [410, "failed", "gone"],
    [404, "failed", "gone"],
    [401, "waiting", "refused"],
    [403, "waiting", "refused"],
  ])("of %i is %s %s", async (code, state, reason) => {
    const host = newHost();
    answers[host] = status(code);
    await send([inbox(host, [1], "users/carla/inbox")]);
    await work();
    expect(await rowTo(host)).toMatchObject({ state, last_error: reason, last_status: code, attempts: 1 });
    expect((await rowTo(host)).lease_until).toBe("0001-01-01 00:00:00");
  });

  test.each([
    [401, "401"],
    [403, "403"],
    [422, "422"],
    [503, "503"],
    [202, ""],
    [410, ""],
  ])("of %i is known of the host: %j", async (code, last_error) => {
    const host = newHost();
    answers[host] = status(code);
    await send([inbox(host), inbox(host, [1], "users/carla/inbox")]);
    await work();
    const { last_failed, ...peer } = (await findPeer(hub, host))!;
    expect([peer.last_error, last_failed.startsWith("0001")]).toEqual([last_error, last_error === ""]);
  });

  test("that never comes has it tried again, later and later, for seven days", async () => {
    const host = newHost();
    answers[host] = away;
    await send([inbox(host)]);
    const waits: number[] = [];
    for (let round = 0; round < 9; round++) {
      await work();
      const row = await rowTo(host);
      expect(row).toMatchObject({ state: "waiting", last_error: "unreachable" });
      waits.push(secondsUntil(row.next_at));
      // Alone it is no reason to stop asking.
      hub.advance(waits.at(-1)! - 1);
      expect(await work()).toBe(0);
      hub.advance(1);
    }
    const usual = [60, 180, 540, 1620, 4860, 14_580, 43_200, 43_200, 43_200];
    for (const [n, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(usual[n]! * 0.8 - 1);
      expect(wait).toBeLessThanOrEqual(usual[n]! * 1.2 + 1);
    }
    expect(new Set(waits.map((wait, n) => wait / usual[n]!)).size).toBeGreaterThan(3);
    hub.advance(7 * 24 * 3600);
    await work();
    expect(await rowTo(host)).toMatchObject({ state: "given up", last_error: "too_late" });
  });

  test("may name a time, which is heeded up to a day", async () => {
    const [soon, late, never] = [newHost(), newHost(), newHost()];
    answers[soon] = status(429, { retryAfter: 1 });
    answers[late] = status(503, { retryAfter: 7200 });
    answers[never] = status(503, { retryAfter: 400_000 });
    await send([inbox(soon), inbox(late), inbox(never)]);
    await work();
    expect(secondsUntil((await rowTo(soon)).next_at)).toBeGreaterThanOrEqual(47);
    expect(secondsUntil((await rowTo(late)).next_at)).toBe(7200);
    expect(secondsUntil((await rowTo(never)).next_at)).toBe(24 * 3600);
    hub.advance(25 * 3600);
    answers = {};
    expect(await work()).toBe(3);
  });

  test("that refuses the signature is asked for twice more within a day", async () => {
    const host = newHost();
    answers[host] = status(401);
    await send([inbox(host)]);
    const before = hub.clock().getTime();
    for (const last_error of ["refused", "refused_again"]) {
      await work();
      expect(await rowTo(host)).toMatchObject({ state: "waiting", last_error });
      hub.advance(secondsUntil((await rowTo(host)).next_at));
    }
    await work();
    expect(await rowTo(host)).toMatchObject({ state: "failed", last_error: "refused", attempts: 3 });
    expect((hub.clock().getTime() - before) / 3600_000).toBe(24);
  });
});

describe("the way of signing", () => {
  test("that a host takes is known for a week, and forgotten after three refusals", async () => {
    const host = newHost();
    answers[host] = status(202, { scheme: "rfc9421" });
    await send([inbox(host)]);
    await work();
    answers[host] = ({ scheme }) => ({ scheme: scheme || "cavage", status: 403 });
    for (let n = 0; n < 4; n++) await send([inbox(host)]);
    await work();
    expect(posted.map(({ scheme }) => scheme)).toEqual(["", ...Array.from({ length: 4 }, () => "rfc9421")]);
    await send([inbox(host)]);
    await work();
    expect(posted.at(-1)).toMatchObject({ scheme: "" });
    answers[host] = status(202, { scheme: "rfc9421" });
    await send([inbox(host)]);
    await work();
    hub.advance(8 * 24 * 3600);
    posted = [];
    await work();
    expect(posted[0]).toMatchObject({ scheme: "" });
  });
});

describe("the order", () => {
  test("of what is about one object is kept at each host, whatever fails meanwhile", async () => {
    const [calm, rough] = [newHost(), newHost()];
    const objectId = `http://hub.example/item/ordered`;
    const to = [inbox(calm), inbox(rough)];
    for (const bytes of ["create", "update", "delete"]) await send(to, { objectId, bytes });
    await send([inbox(rough)], { bytes: "other" });
    answers[rough] = ({ bytes }) => (bytes.toString() === "create" ? away() : status(202)());
    await work();
    const at = (host: string) => posted.filter((one) => one.host === host).map(({ bytes }) => bytes);
    expect(at(calm)).toEqual(["create", "update", "delete"]);
    expect(at(rough).toSorted()).toEqual(["create", "other"]);
    answers = {};
    hub.advance(120);
    await work();
    expect(at(rough).filter((bytes) => bytes !== "other")).toEqual(["create", "create", "update", "delete"]);
  });

  test("has answers go before what many get, and good hosts before doubtful ones", async () => {
    const many = Array.from({ length: 11 }, newHost);
    for (const host of many.slice(1)) await send([inbox(host)]);
    await work();
    posted = [];
    await send(
      many.map((host) => inbox(host)),
      { bytes: "bulk" },
    );
    await send([inbox(many[5]!)], { bytes: "answer" });
    await work();
    expect(posted[0]).toMatchObject({ bytes: "answer" });
    expect(posted.at(-1)).toMatchObject({ host: many[0] });
  });
});

describe("a host", () => {
  test("gets four requests at once, all together 64, and a slow one delays nobody", async () => {
    const hosts = Array.from({ length: 30 }, newHost);
    let [underWay, most] = [0, 0];
    const slow = Promise.withResolvers<Answer>();
    const atHost = new Map<string, number>();
    for (const host of hosts)
      answers[host] = async () => {
        most = Math.max(most, ++underWay);
        atHost.set(host, (atHost.get(host) ?? 0) + 1);
        expect(atHost.get(host)).toBeLessThanOrEqual(4);
        const answer =
          host === hosts[0]
            ? await slow.promise
            : await new Promise<Answer>((resolve) => setImmediate(() => resolve(status(202)())));
        underWay -= 1;
        atHost.set(host, atHost.get(host)! - 1);
        return answer;
      };
    for (let n = 0; n < 10; n++) for (const host of hosts) await send([inbox(host)]);
    const working = work();
    await expect.poll(() => posted.length).toBe(29 * 10 + 4);
    slow.resolve(status(202)());
    await working;
    expect(posted).toHaveLength(300);
    expect(most).toBe(64);
  });

  test("that takes its time takes no place from others, and gets nothing else meanwhile", async () => {
    const answering = Array.from({ length: 20 }, newHost);
    const silent = Array.from({ length: 150 }, newHost);
    const never = Promise.withResolvers<Answer>();
    for (const host of silent) answers[host] = () => never.promise;
    // Those that answer come last.
    const to = [...silent, ...answering].map((host) => inbox(host));
    const got = (bytes: string) => (host: string) =>
      posted.filter((one) => one.host === host && one.bytes === bytes).length;
    await send(to, { bytes: "first" });
    const worker = new Worker(hub, deliveries(courier));
    worker.start();
    await expect.poll(() => answering.map(got("first"))).toEqual(answering.map(() => 1));
    await expect.poll(() => silent.map(got("first"))).toEqual(silent.map(() => 1));
    // The last of them have begun a moment ago.
    await wait(500);
    await send(to, { bytes: "second" });
    await expect.poll(() => answering.map(got("second"))).toEqual(answering.map(() => 1));
    expect(silent.map(got("second"))).toEqual(silent.map(() => 0));
    never.resolve(status(202)());
    await expect.poll(() => silent.map(got("second"))).toEqual(silent.map(() => 1));
    await worker.stop();
  });

  test("that fails five times in ten minutes is only probed, until it answers", async () => {
    const host = newHost();
    answers[host] = away;
    for (let n = 0; n < 8; n++) await send([inbox(host)]);
    await work();
    const tried = posted.length;
    expect(tried).toBeGreaterThanOrEqual(5);
    expect(tried).toBeLessThanOrEqual(8);
    expect(await findPeer(hub, host)).toMatchObject({ circuit: "open", last_error: "connection refused" });
    await send([inbox(host)], { bytes: "later" });
    hub.advance(1799);
    expect(await work()).toBe(0);
    for (const minutes of [30, 60, 120]) {
      hub.advance(1);
      expect(await work()).toBe(1);
      hub.advance(minutes * 120 - 1);
      expect(await work()).toBe(0);
    }
    hub.advance(1);
    answers = {};
    expect(await work()).toBe(9);
    expect((await rowsTo(host)).every(({ state }) => state === "done")).toBe(true);
    expect(await findPeer(hub, host)).toMatchObject({ circuit: "", failures: 0, probes: 0 });
  });

  test("that is away for 14 days is given up, and is there again once it is heard from", async () => {
    const host = newHost();
    answers[host] = away;
    for (let n = 0; n < 6; n++) await send([inbox(host)]);
    for (let day = 0; day < 16; day++) {
      await work();
      hub.advance(24 * 3600);
    }
    expect((await rowsTo(host)).map(({ state, last_error }) => `${state} ${last_error}`)).toEqual(
      Array.from({ length: 6 }, () => "given up host_dead"),
    );
    await send([inbox(host)]);
    expect(await rowsTo(host)).toHaveLength(6);
    await heardFrom(hub, host, "rfc9421");
    answers = {};
    posted = [];
    await send([inbox(host)]);
    await work();
    expect(posted).toMatchObject([{ host, scheme: "rfc9421" }]);
  });

  test.each([404, 410])("that has no inbox of all any more (%i) gets it in the personal ones", async (gone) => {
    const [carla, dora] = [actorOf("carla"), actorOf("dora")];
    const people = [(await meetActor(hub, carla)).xchan_id, (await meetActor(hub, dora)).xchan_id];
    answers["far.example"] = ({ inbox }) => status(inbox === "https://far.example/inbox" ? gone : 202)();
    await send([inbox("far.example", people)]);
    await work();
    expect(posted.map(({ inbox, people }) => [inbox, people])).toEqual([
      ["https://far.example/inbox", people],
      ["https://far.example/users/carla/inbox", [people[0]]],
      ["https://far.example/users/dora/inbox", [people[1]]],
    ]);
    const known = hub.db.selectFrom("actor").select("shared_inbox").where("xchan_id", "in", people);
    expect(await known.execute()).toEqual([{ shared_inbox: "" }, { shared_inbox: "" }]);
  });

  test("that moved an inbox gets it where that is", async () => {
    const carla = actorOf("carla");
    const people = [(await meetActor(hub, carla)).xchan_id];
    answers["far.example"] = ({ inbox }) => status(inbox.endsWith("/new") ? 202 : 301)();
    metAgain = async (xchanId) => {
      expect(xchanId).toBe(people[0]);
      await meetActor(hub, { ...carla, inbox: "https://far.example/users/carla/new" });
    };
    await send([inbox("far.example", [people[0]!], "users/carla/inbox")]);
    await work();
    expect(posted.map(({ inbox }) => inbox)).toEqual([
      "https://far.example/users/carla/inbox",
      "https://far.example/users/carla/new",
    ]);
  });

  test("that moved its inbox of all gets it there, for all of its people at once", async () => {
    const [carla, dora] = [actorOf("carla"), actorOf("dora")];
    const people = [(await meetActor(hub, carla)).xchan_id, (await meetActor(hub, dora)).xchan_id];
    const [before, sharedInbox] = ["https://far.example/inbox", "https://far.example/new"];
    answers["far.example"] = ({ inbox }) => status(inbox === sharedInbox ? 202 : 308)();
    const met: number[] = [];
    metAgain = async (xchanId) => {
      met.push(xchanId);
      await meetActor(hub, { ...carla, sharedInbox });
    };
    await send([inbox("far.example", people)]);
    await work();
    expect(met).toEqual([people[0]]);
    expect(posted.map(({ inbox, people }) => [inbox, people])).toEqual([
      [before, people],
      [sharedInbox, people],
    ]);
    const known = hub.db.selectFrom("actor").select("shared_inbox").where("xchan_id", "in", people);
    expect(await known.execute()).toEqual([{ shared_inbox: sharedInbox }, { shared_inbox: sharedInbox }]);
  });
});

test("what the hub itself stands in the way of is no failure, of the delivery or of the host, and goes on soon afterwards", async () => {
  const host = newHost();
  const faults = [new DatabaseAway(new Error("gone")), new DiskRefuses("full", new Error("ENOSPC"))];
  answers[host] = () => {
    throw faults.pop()!;
  };
  await send([inbox(host)]);
  const before = await rowTo(host);
  while (faults.length > 0) {
    await work();
    expect(await rowTo(host)).toEqual({ ...before, next_at: expect.any(String) });
    hub.advance(7);
  }
  answers[host] = status(202);
  await work();
  expect(await rowTo(host)).toMatchObject({ state: "done", attempts: 1 });
  expect(await findPeer(hub, host)).not.toMatchObject({ circuit: "open" });
});

describe("several workers", () => {
  afterEach(() => vi.useRealTimers());

  test("share the rows, and take over those of one that died", async () => {
    const hosts = Array.from({ length: 40 }, newHost);
    for (const host of hosts) for (let n = 0; n < 3; n++) await send([inbox(host)]);
    await Promise.all([work(), work(), work()]);
    expect(new Set(posted.map(({ id }) => id)).size).toBe(120);
    expect(posted).toHaveLength(120);
    const host = newHost();
    await send([inbox(host)]);
    const lease_until = new Date(hub.clock().getTime() + 60_000).toISOString().slice(0, 19).replace("T", " ");
    await hub.db.updateTable("delivery").set({ lease_until, attempts: 1 }).where("host", "=", host).execute();
    expect(await work()).toBe(0);
    hub.advance(60);
    expect(await work()).toBe(1);
    expect(await rowTo(host)).toMatchObject({ state: "done", attempts: 2 });
  });

  test("say every 4 s that they are at work, and lose what they have begun 12 s after the last time", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const host = newHost();
    const slow = Promise.withResolvers<Answer>();
    answers[host] = () => slow.promise;
    await send([inbox(host)]);
    const worker = new Worker(hub, deliveries(courier));
    worker.start();
    await expect.poll(() => posted).toHaveLength(1);
    hub.advance(4);
    vi.advanceTimersByTime(4000);
    await expect.poll(async () => secondsUntil((await rowTo(host)).lease_until)).toBe(12);
    answers[host] = status(202);
    hub.advance(11);
    expect(await work()).toBe(0);
    hub.advance(1);
    expect(await work()).toBe(1);
    expect(await rowTo(host)).toMatchObject({ state: "done", attempts: 2 });
    slow.resolve(away());
    await worker.stop();
    expect(await rowTo(host)).toMatchObject({ state: "done", attempts: 2 });
  });

  test("give back what is under way when they stop, and begin nothing more", async () => {
    const [host, other] = [newHost(), newHost()];
    await send([inbox(host)]);
    const begun = Promise.withResolvers<void>();
    // Whoever waits for an answer hears that the hub stops.
    const fetch = (_: string, { signal }: { signal?: AbortSignal } = {}) =>
      new Promise<Response>((_, reject) => signal!.addEventListener("abort", () => reject(new Error("aborted"))));
    const post = async (hub: Hub): Promise<Answer> => {
      begun.resolve();
      return hub.fetch("https://far.example/inbox").then(status(202), away);
    };
    const worker = new Worker({ ...hub, fetch }, deliveries({ ...courier, post }));
    worker.start();
    await begun.promise;
    const stopped = worker.stop();
    await send([inbox(other)]);
    await stopped;
    expect(await rowTo(host)).toMatchObject({ state: "waiting", attempts: 0, lease_until: "0001-01-01 00:00:00" });
    expect(await rowTo(other)).toMatchObject({ state: "waiting", attempts: 0 });
    expect(await work()).toBe(2);
  });
});

describe("what is over", () => {
  test("goes 30 days after the last of it is done, with the keys of channels that are removed", async () => {
    await hub.db.deleteFrom("outbox_activity").execute();
    const [fast, slow] = [newHost(), newHost()];
    const gone = await newcomer(hub, "gone");
    await inTransaction(hub, (hub) => closeChannel(hub, gone));
    await send([inbox(fast), inbox(slow)], { sender: gone.channel_id });
    answers[slow] = status(429, { retryAfter: 24 * 3600 });
    await work();
    hub.advance(29 * 24 * 3600);
    await trimQueues(hub);
    const keys = () =>
      hub.db.selectFrom("channel").select("channel_prvkey").where("channel_id", "=", gone.channel_id).execute();
    expect(await keys()).not.toEqual([{ channel_prvkey: "" }]);
    answers = {};
    await work();
    await trimQueues(hub);
    expect(await keys()).toEqual([{ channel_prvkey: "" }]);
    hub.advance(2 * 24 * 3600);
    await trimQueues(hub);
    expect(await hub.db.selectFrom("delivery").select("id").execute()).toHaveLength(2);
    hub.advance(29 * 24 * 3600);
    await trimQueues(hub);
    expect(await hub.db.selectFrom("delivery").select("id").execute()).toEqual([]);
    expect(await hub.db.selectFrom("outbox_activity").select("id").execute()).toEqual([]);
  });

  test("and what is too much is seen by its number and its age: back-fill is left out first", async () => {
    const leftOut = () =>
      Promise.all((["back-fill", "asking again", "previews"] as const).map((what) => isLeftOut(hub, what)));
    await send([inbox(newHost())]);
    hub.advance(14 * 60);
    expect(await backlogOf(hub, "delivery")).toEqual({ due: 1, oldest: 14 * 60 });
    expect(await leftOut()).toEqual([false, false, false]);
    hub.advance(2 * 60);
    expect(await leftOut()).toEqual([true, false, false]);
    hub.advance(15 * 60);
    expect(await leftOut()).toEqual([true, true, true]);
    const isSo = (due: number) => [isTooMuch({ due, oldest: 1 }), isTooMuch({ due, oldest: 1 }, 2)];
    expect([99_999, 100_000, 200_000].map(isSo)).toEqual([
      [false, false],
      [true, false],
      [true, true],
    ]);
  });
});
