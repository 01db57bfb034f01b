import { open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openDatabase } from "../src/storage/database.ts";
import { sqlDate } from "../src/storage/sql.ts";
import { cases } from "./cases.ts";
import { baseUrl } from "./dataset.ts";
import type { Resident, World } from "./dataset.ts";
import type { DatabasePlace } from "./databases.ts";
import { password } from "./dataset/people.ts";
import type { Call, LoadResult } from "./load/main.ts";
import { logIn } from "./log-in.ts";
import { at, checked } from "./measure.ts";
import { ownMemory, startLoader, startWatchedHub, untilIdle } from "./processes.ts";
import type { Loader, WatchedServer } from "./processes.ts";

/** What a crowd does to a hub, each beside the same without it; times in milliseconds, memory in megabytes. */
export type CrowdRun = {
  /** 40 connections post as a channel that many read, and as one that nobody is connected with. */
  posting: {
    perSecond: number;
    perSecondUnread: number;
    hold: number;
    holdAlone: number;
    /** p99 of an unrelated request meanwhile, and of the same alone. */
    reading: number;
    alone: number;
    /** The longest that another program waited for the disk meanwhile. */
    disk: number;
  };
  /** 400 connections of which one in ten writes: p99 and longest, and p99 of a single connection. */
  many: {
    readsPerSecond: number;
    reads: number;
    longestRead: number;
    readAlone: number;
    writesPerSecond: number;
    writes: number;
    longestWrite: number;
    writeAlone: number;
    hold: number;
    /** Parts of a processor that the programs which make the load take. */
    load: number;
  };
  /** What the process has for itself before all that, and a minute after its last job at the latest. */
  memory: { idle: number; after: number };
};

export const crowdCase = "a crowd";

const seconds = 8;
const without = { pause: 0, most: 1_000_000 };
/** Posts of the first part have hundreds of copies each. */
const longestWorkingOff = 300;

export async function benchCrowd(
  place: DatabasePlace,
  world: World,
  data: string,
  loader: Loader,
  profile?: string,
): Promise<CrowdRun> {
  const hub = await startWatchedHub(place, baseUrl, data, profile);
  const other = startLoader();
  try {
    await wait(2000);
    const crowd = { place, world, data, hub, loader, other };
    const idle = ownMemory(hub.process);
    const posting = await benchPosting(crowd);
    await untilWorkedOff(crowd);
    const many = await benchMany(crowd);
    await untilWorkedOff(crowd);
    return { posting, many, memory: { idle, after: await lowestWithinMinute(hub, idle * 1.3) } };
  } finally {
    await other.stop();
    await hub.stop();
  }
}

/** A hub under load, and two programs that make it. */
type Crowd = { place: DatabasePlace; world: World; data: string; hub: WatchedServer; loader: Loader; other: Loader };

async function benchPosting(crowd: Crowd): Promise<CrowdRun["posting"]> {
  const { world, hub, loader, other } = crowd;
  const { port } = hub;
  const posts = (who: Resident) => ({ ...without, port, calls: [postOf(who)], connections: 40, seconds });
  const reading = { ...without, port, calls: [homeOf(world.residents[0]!)], connections: 1, seconds, pause: 10 };
  const people = [postOf(world.lonely[1]!), postOf(world.stars[0]!), ...reading.calls];
  await logIn(hub, people);
  // Until then the code is not warm.
  for (const who of [world.lonely[1]!, world.stars[0]!])
    checked(await loader.run({ ...posts(who), connections: 4, seconds: 2 }));
  checked(await other.run({ ...reading, seconds: 2 }));
  await untilWorkedOff(crowd);
  await logIn(hub, people);
  await hub.longestHold();
  const alone = checked(await other.run({ ...reading, seconds: 3 }));
  const holdAlone = await hub.longestHold();
  const unread = checked(await loader.run(posts(world.lonely[1]!)));
  await untilWorkedOff(crowd);
  await logIn(hub, people);
  await hub.longestHold();
  const [read, meanwhile, disk] = await Promise.all([
    loader.run(posts(world.stars[0]!)),
    other.run(reading),
    longestSync(crowd.data),
  ]);
  return {
    perSecond: rate(checked(read)),
    perSecondUnread: rate(unread),
    hold: await hub.longestHold(),
    holdAlone,
    reading: at(checked(meanwhile).times, 0.99),
    alone: at(alone.times, 0.99),
    disk,
  };
}

async function benchMany({ world, hub, loader, other }: Crowd): Promise<CrowdRun["many"]> {
  const order = { ...without, port: hub.port, seconds };
  const readers = { ...order, calls: cases[0]!.pairs(world).map((pair) => pair.hub), connections: 360 };
  const writers = { ...order, calls: world.residents.slice(0, 40).map(postOf), connections: 40 };
  await logIn(hub, [...readers.calls, ...writers.calls]);
  const [readAlone, writeAlone] = [
    checked(await loader.run({ ...readers, connections: 1, seconds: 4 })),
    checked(await loader.run({ ...writers, connections: 1, seconds: 4 })),
  ];
  const before = loader.cpuTime() + other.cpuTime();
  await hub.longestHold();
  const [reads, writes] = await Promise.all([loader.run(readers), other.run(writers)]);
  const hold = await hub.longestHold();
  const load = (loader.cpuTime() + other.cpuTime() - before) / 1e6 / reads.seconds;
  return {
    readsPerSecond: rate(checked(reads)),
    reads: at(reads.times, 0.99),
    longestRead: at(reads.times, 1),
    readAlone: at(readAlone.times, 0.99),
    writesPerSecond: rate(checked(writes)),
    writes: at(writes.times, 0.99),
    longestWrite: at(writes.times, 1),
    writeAlone: at(writeAlone.times, 0.99),
    hold,
    load,
  };
}

/** Waits until no job is due or under way any more, and the process has nothing else to do either. */
async function untilWorkedOff({ place, hub }: Crowd): Promise<void> {
  const db = openDatabase(place.settings);
  try {
    for (const end = performance.now() + longestWorkingOff * 1000; performance.now() < end; await wait(500)) {
      const due = db.selectFrom("job").select("id").where("dead", "=", 0).where("run_at", "<=", sqlDate(new Date()));
      if (!(await due.executeTakeFirst())) break;
    }
  } finally {
    await db.destroy();
  }
  await untilIdle(hub.process);
}

/** What a program that writes next to nothing, and wants it on the disk a hundred times a second, waits at the most. */
async function longestSync(folder: string): Promise<number> {
  const file = await open(join(folder, "sync"), "w");
  let longest = 0;
  try {
    for (const end = performance.now() + seconds * 1000; performance.now() < end; await wait(10)) {
      const began = performance.now();
      await file.write("x".repeat(4096), 0);
      await file.datasync();
      longest = Math.max(longest, performance.now() - began);
    }
  } finally {
    await file.close();
  }
  return longest;
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
