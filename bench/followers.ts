import { setTimeout as wait } from "node:timers/promises";
import { readConfig } from "../src/config/config.ts";
import { findChannelById } from "../src/domain/identity/channels/find-channel.ts";
import { openHub } from "../src/hub.ts";
import type { Hub } from "../src/hub.ts";
import { baseUrl } from "./dataset.ts";
import type { Resident, World } from "./dataset.ts";
import type { DatabasePlace } from "./databases.ts";
import { writeFollowers } from "../test/support/followers.ts";
import { median } from "./measure.ts";
import type { Pace } from "./measure.ts";
import { postStatus } from "./post-status.ts";
import { cpuTime, startKeepingHub, untilIdle } from "./processes.ts";
import type { Server } from "./processes.ts";

/** What becomes of a post whose author many people of other hubs follow; times in milliseconds. */
export type FollowersRun = {
  /** Until the answer, and until a row waits for each of their hubs. */
  answered: number;
  queued: number;
  /** Of the hub, for all of it. */
  cpu: number;
};

export const followersCase = "a post to 5,000 followers on 500 hosts";

const usual = { followers: 5000, hosts: 500, postsInRound: 4 };
const few: typeof usual = { followers: 100, hosts: 10, postsInRound: 1 };
const longest = 30_000;

/** Posts one after the other; what is queued stays where it is. */
export async function benchFollowers(
  place: DatabasePlace,
  world: World,
  data: string,
  pace: Pace,
  profile?: string,
): Promise<FollowersRun> {
  const amount = pace.brief ? few : usual;
  const who = world.lonely[2]!;
  const env = { HUBBUB_BASE_URL: baseUrl, HUBBUB_DATA: data, HUBBUB_LOG_LEVEL: "off" };
  const watcher = await openHub(readConfig({ ...env, HUBBUB_DATABASE_URL: place.url }));
  const origins = Array.from({ length: amount.hosts }, (_, n) => `https://host${n}.example`);
  await writeFollowers(watcher, (await findChannelById(watcher, who.uid))!, origins, amount.followers);
  const hub = await startKeepingHub(place, baseUrl, data, profile);
  try {
    const runs: FollowersRun[] = [];
    for (let n = 0; n <= pace.rounds * amount.postsInRound; n++) {
      await untilIdle(hub.process);
      const run = await postOnce(watcher, hub, who, (n + 1) * amount.hosts);
      // Passwords are checked once, and the code is not warm before.
      if (n > 0) runs.push(run);
    }
    const middle = (figure: keyof FollowersRun): number => median(runs.map((run) => run[figure]));
    return { answered: middle("answered"), queued: middle("queued"), cpu: middle("cpu") };
  } finally {
    await hub.stop();
    await watcher.close();
  }
}

async function postOnce(watcher: Hub, hub: Server, { nick }: Resident, wanted: number): Promise<FollowersRun> {
  const before = cpuTime(hub.process);
  const began = performance.now();
  await postStatus(hub, nick, "A post to everybody");
  const answered = performance.now() - began;
  while ((await queued(watcher)) < wanted) {
    if (performance.now() - began > longest) throw new Error("The post was not queued for everybody");
    await wait(5);
  }
  const time = performance.now() - began;
  await untilIdle(hub.process);
  return { answered, queued: time, cpu: (cpuTime(hub.process) - before) / 1000 };
}

async function queued({ db }: Hub): Promise<number> {
  const { count } = await db
    .selectFrom("delivery")
    .select((eb) => eb.fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}
