import { setTimeout as wait } from "node:timers/promises";
import { cases } from "./cases.ts";
import { baseUrl } from "./dataset.ts";
import type { Resident, World } from "./dataset.ts";
import type { DatabasePlace } from "./databases.ts";
import { password } from "./dataset/people.ts";
import type { Call, LoadResult } from "./load/main.ts";
import { ownMemory, startLoader, startWatchedHub, untilIdle } from "./processes.ts";
import type { Loader, WatchedServer } from "./processes.ts";

/** What a crowd does to a hub, each beside the same without it; times in milliseconds, memory in megabytes. */
export type CrowdRun = {
  /** 40 connections post as a channel that many read, and as one that nobody is connected with. */
  posting: {
    perSecond: number;
    perSecondUnread: number;
    hold: number;
    /** p99 of an unrelated request meanwhile, and of the same alone. */
    reading: number;
    alone: number;
  };
  /** 400 connections of which one in ten writes: p99 and longest. */
  many: { reads: number; longestRead: number; writes: number; longestWrite: number; hold: number };
  /** What the process has for itself before all that, and a minute after it at the latest. */
  memory: { idle: number; after: number };
};

export const crowdCase = "a crowd";

const seconds = 8;
const without = { pause: 0, most: 1_000_000 };

export async function benchCrowd(place: DatabasePlace, world: World, data: string, loader: Loader): Promise<CrowdRun> {
  const hub = await startWatchedHub(place, baseUrl, data);
  const other = startLoader();
  try {
    await wait(2000);
    const idle = ownMemory(hub.process);
    const posting = await benchPosting(world, hub, loader, other);
    const many = await benchMany(world, hub, loader, other);
    await untilIdle(hub.process, 120);
    return { posting, many, memory: { idle, after: await lowestWithinMinute(hub, idle * 1.3) } };
  } finally {
    await other.stop();
    await hub.stop();
  }
}

async function benchPosting(
  world: World,
  hub: WatchedServer,
  loader: Loader,
  other: Loader,
): Promise<CrowdRun["posting"]> {
  const { port } = hub;
  const posts = (who: Resident) => ({ ...without, port, calls: [postOf(who)], connections: 40, seconds });
  const reading = { ...without, port, calls: [homeOf(world.residents[0]!)], connections: 1, seconds, pause: 10 };
  // Until then the code is not warm, and passwords have not been checked once.
  for (const who of [world.lonely[1]!, world.stars[0]!])
    checked(await loader.run({ ...posts(who), connections: 4, seconds: 2 }));
  checked(await other.run({ ...reading, seconds: 2 }));
  await untilIdle(hub.process);
  const alone = checked(await other.run({ ...reading, seconds: 3 }));
  const unread = checked(await loader.run(posts(world.lonely[1]!)));
  await untilIdle(hub.process);
  await hub.longestHold();
  const [read, meanwhile] = await Promise.all([loader.run(posts(world.stars[0]!)), other.run(reading)]);
  return {
    perSecond: rate(checked(read)),
    perSecondUnread: rate(unread),
    hold: await hub.longestHold(),
    reading: at(checked(meanwhile), 0.99),
    alone: at(alone, 0.99),
  };
}

async function benchMany(world: World, hub: WatchedServer, loader: Loader, other: Loader): Promise<CrowdRun["many"]> {
  const order = { ...without, port: hub.port, seconds };
  const readers = { ...order, calls: cases[0]!.pairs(world).map((pair) => pair.hub), connections: 360 };
  const writers = { ...order, calls: world.residents.slice(0, 40).map(postOf), connections: 40 };
  for (const calls of [readers.calls, writers.calls])
    checked(await loader.run({ ...order, calls, connections: 8, seconds: 4 }));
  await hub.longestHold();
  const [reads, writes] = await Promise.all([loader.run(readers), other.run(writers)]);
  checked(reads);
  checked(writes);
  return {
    reads: at(reads, 0.99),
    longestRead: at(reads, 1),
    writes: at(writes, 0.99),
    longestWrite: at(writes, 1),
    hold: await hub.longestHold(),
  };
}

async function lowestWithinMinute({ process }: WatchedServer, wanted: number): Promise<number> {
  let lowest = Infinity;
  for (let second = 0; second < 60 && lowest > wanted; second++) {
    await wait(1000);
    lowest = Math.min(lowest, ownMemory(process));
  }
  return lowest;
}

function postOf({ nick }: Resident): Call {
  return { method: "POST", path: "/api/statuses/update.json", login: `${nick}:${password}`, body: "status=Post%20{n}" };
}

function homeOf({ nick }: Resident): Call {
  return { method: "GET", path: "/api/statuses/home_timeline.json", login: `${nick}:${password}` };
}

function rate({ requests, seconds }: LoadResult): number {
  return requests / seconds;
}

function at({ times }: LoadResult, part: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
}

function checked(result: LoadResult): LoadResult {
  if (result.errors.length > 0) throw new Error(`Requests failed: ${result.errors.slice(0, 3).join("; ")}`);
  return result;
}
