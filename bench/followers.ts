import { setTimeout as wait } from "node:timers/promises";
import { readConfig } from "../src/config.ts";
import { comparableId } from "../src/domain/identity/xchans/foreign-ids.ts";
import { meetActor } from "../src/domain/peers/meet-actor.ts";
import { inTransaction, openHub } from "../src/hub.ts";
import type { Hub } from "../src/hub.ts";
import { inPieces } from "../src/storage/sql.ts";
import { actorOf } from "../test/support/actors.ts";
import { baseUrl } from "./dataset.ts";
import type { Resident, World } from "./dataset.ts";
import type { DatabasePlace } from "./databases.ts";
import { password } from "./dataset/people.ts";
import { median } from "./measure.ts";
import type { Pace } from "./measure.ts";
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
  await writeFollowers(watcher, who, amount);
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
  const response = await fetch(`http://127.0.0.1:${hub.port}/api/statuses/update.json`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${nick}:${password}`).toString("base64")}` },
    body: new URLSearchParams({ status: "A post to everybody" }),
  });
  const text = await response.text();
  const answered = performance.now() - began;
  if (!response.ok) throw new Error(`The post was refused with ${response.status}: ${text.slice(0, 300)}`);
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

/** The first is met as people are, and follows as somebody here does; the others have copies of these rows. */
async function writeFollowers(hub: Hub, { uid }: Resident, { followers, hosts }: typeof usual): Promise<void> {
  const met = await meetActor(hub, actorOf("ann", { manuallyApproves: false }));
  await inTransaction(hub, async (hub) => {
    const { db } = hub;
    const { id: _, ...actor } = await db
      .selectFrom("actor")
      .selectAll()
      .where("xchan_id", "=", met.xchan_id)
      .executeTakeFirstOrThrow();
    const { xchan_id: __, ...xchan } = met;
    const connections = db.selectFrom("abook").selectAll();
    const own = await connections
      .where("abook_channel", "=", uid)
      .where("abook_self", "=", 1)
      .executeTakeFirstOrThrow();
    const { abook_id: ___, ...abook } = await connections
      .where("follow_in", "=", "accepted")
      .where("abook_self", "=", 0)
      .executeTakeFirstOrThrow();
    const { abook_account, abook_channel, abook_profile } = own;
    const nicks = Array.from({ length: followers }, (_, n) => ({ host: `host${n % hosts}.example`, nick: `f${n}` }));
    for (const piece of inPieces(nicks)) {
      const hash = ({ host, nick }: (typeof nicks)[number]): string => `https://${host}/users/${nick}`;
      const people = piece.map((one) => ({
        ...xchan,
        xchan_hash: hash(one),
        xchan_guid: hash(one),
        xchan_url: hash(one),
        xchan_addr: `${one.nick}@${one.host}`,
      }));
      const written = await db.insertInto("xchan").values(people).returning(["xchan_id", "xchan_hash"]).execute();
      const rows = written.map(({ xchan_id, xchan_hash }) => {
        const { host, origin } = new URL(xchan_hash);
        const ids = { actor_id: xchan_hash, compared: comparableId(xchan_hash), xchan_id };
        return { ...actor, ...ids, host, inbox: `${xchan_hash}/inbox`, shared_inbox: `${origin}/inbox` };
      });
      await db.insertInto("actor").values(rows).execute();
      const follows = written.map(({ xchan_hash: abook_xchan }) => ({
        ...abook,
        abook_account,
        abook_channel,
        abook_profile,
        abook_xchan,
      }));
      await db.insertInto("abook").values(follows).execute();
    }
  });
}
