import { setTimeout as wait } from "node:timers/promises";
import { readConfig } from "../src/config/config.ts";
import { openHub } from "../src/hub.ts";
import type { Hub } from "../src/hub.ts";
import type { DatabasePlace } from "./databases.ts";
import { basic } from "../test/support/client.ts";
import { writeFollowers } from "../test/support/followers.ts";
import { makePeople, password } from "./dataset/people.ts";
import { at, median } from "./measure.ts";
import type { Pace } from "./measure.ts";
import { postStatus } from "./post-status.ts";
import { startElsewhere, startHub, untilIdle } from "./processes.ts";
import type { Server } from "./processes.ts";

/** What dead and slow hosts do to everybody else; times in milliseconds. */
export type HostsRun = {
  /** p99 of the answer to a post for all these hosts, and to one that goes nowhere. */
  answered: number;
  answeredAlone: number;
  /** p99 of a timeline while such a post goes out, and while nothing does. */
  home: number;
  homeAlone: number;
  /** Until the last of the hosts that answer has a post: the first one to all, the others, and those to these hosts alone. */
  first: number;
  later: number;
  alone: number;
};

export const hostsCase = "a post to 500 hosts, 400 of them dead or slow";

/** Twice as many as answer refuse connections, and as many never answer. */
const usual = { answering: 100, ofEach: 10, warm: 30, turnsInRound: 34 };
const few: typeof usual = { answering: 5, ofEach: 1, warm: 1, turnsInRound: 1 };
const [longest, quietMilliseconds] = [120_000, 400];
/** Who posts to nobody elsewhere, to the hosts that answer and to all, and who reads. */
const names = ["unread", "read", "wide", "reader"] as const;
type Name = (typeof names)[number];
const baseUrl = "http://hub.localhost";

/** Posts one after the other: to nobody elsewhere, to hosts that answer, and to many that do not. */
export async function benchHosts(place: DatabasePlace, data: string, pace: Pace, profile?: string): Promise<HostsRun> {
  const amount = pace.brief ? few : usual;
  const { answering, ofEach } = amount;
  const elsewhere = await startElsewhere({ hosts: answering, silent: 2 * answering });
  const env = { HUBBUB_BASE_URL: baseUrl, HUBBUB_ALLOW_PRIVATE: "on" };
  const watcher = await openHub(
    readConfig({ ...env, HUBBUB_DATA: data, HUBBUB_DATABASE_URL: place.url, HUBBUB_LOG_LEVEL: "off" }),
  );
  const [, read, wide] = await makePeople(watcher, [...names]);
  const [some, all] = originsOf(elsewhere, answering);
  await writeFollowers(watcher, read!.channel, some, some.length * ofEach);
  await writeFollowers(watcher, wide!.channel, all, all.length * ofEach);
  const hub = await startHub(place, baseUrl, data, profile, env);
  const post = async (who: Name, wanted: number): Promise<Post> => {
    await untilIdle(hub.process, 1);
    return postOnce({ hub, watcher }, who, wanted);
  };
  try {
    // A timeline needs something to show. Passwords are checked once, and the code is not warm before.
    for (let n = 0; n < amount.warm; n++) {
      await post("reader", 0);
      await post("unread", 0);
      await post("read", answering);
    }
    const turns = pace.rounds * amount.turnsInRound;
    const [nowhere, some, all]: [Post[], Post[], Post[]] = [[], [], []];
    const quiet: number[] = [];
    // All of that comes first: hosts that do not answer are waited for long after their post.
    for (let n = 0; n < turns; n++) {
      nowhere.push(await post("unread", 0));
      some.push(await post("read", answering));
      quiet.push(...(await readAgainUntil(hub, wait(quietMilliseconds))));
    }
    const first = await post("wide", answering);
    for (let n = 0; n < turns; n++) all.push(await post("wide", answering));
    const p99 = (times: number[]): number => at(times, 0.99);
    return {
      answered: p99(all.map(({ answered }) => answered)),
      answeredAlone: p99(nowhere.map(({ answered }) => answered)),
      home: p99(all.flatMap(({ reads }) => reads)),
      homeAlone: p99(quiet),
      first: first.reached,
      later: median(all.map(({ reached }) => reached)),
      alone: median(some.map(({ reached }) => reached)),
    };
  } finally {
    await hub.stop();
    await watcher.close();
    await elsewhere.stop();
  }
}

/** Those that answer, and all: each of them behind such as never answer and such as refuse connections. */
function originsOf({ port }: Server, answering: number): [string[], string[]] {
  const origin = (net: number, n: number): string => `http://127.0.${net}.${n + 1}:${port}`;
  const numbers = Array.from({ length: answering }, (_, n) => n);
  const some = numbers.map((n) => origin(1, n));
  const others = (n: number): string[] => [origin(2, n), origin(3, n)];
  return [some, numbers.flatMap((n) => [...others(2 * n), ...others(2 * n + 1), some[n]!])];
}

/** When a post was answered and when so many hosts had it, and how long timelines took until then. */
type Post = { answered: number; reached: number; reads: number[] };

type Stage = { hub: Server; watcher: Hub };

async function postOnce({ hub, watcher }: Stage, who: Name, wanted: number): Promise<Post> {
  const former = await lastDelivery(watcher);
  const began = performance.now();
  await postStatus(hub, who, "A post to everybody");
  const answered = performance.now() - began;
  const taken = untilTaken(watcher, former, wanted).then(() => performance.now() - began);
  const reads = await readAgainUntil(hub, taken);
  return { answered, reached: await taken, reads };
}

async function lastDelivery({ db }: Hub): Promise<number> {
  const { id } = await db
    .selectFrom("delivery")
    .select((eb) => eb.fn.max("id").as("id"))
    .executeTakeFirstOrThrow();
  return Number(id);
}

/** Until so many deliveries that came after one are done. */
async function untilTaken({ db }: Hub, former: number, wanted: number): Promise<void> {
  for (const end = performance.now() + longest; performance.now() < end; await wait(20)) {
    const { count } = await db
      .selectFrom("delivery")
      .select((eb) => eb.fn.countAll().as("count"))
      .where("id", ">", former)
      .where("state", "=", "done")
      .executeTakeFirstOrThrow();
    if (Number(count) >= wanted) return;
  }
  throw new Error("The post did not reach everybody who answers");
}

/** Reads a timeline again and again until something has happened; how long each took. */
async function readAgainUntil(hub: Server, over: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  const ended = over.finally(() => (isOver = true));
  while (!isOver) {
    const began = performance.now();
    const response = await fetch(`http://127.0.0.1:${hub.port}/api/statuses/home_timeline.json`, {
      headers: { authorization: basic(`reader:${password}`) },
    });
    await response.arrayBuffer();
    times.push(performance.now() - began);
    await wait(5);
  }
  await ended;
  return times;
}
