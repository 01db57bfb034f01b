import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { connect, receiveAccept } from "../src/domain/connections/connections.ts";
import { recordArrival } from "../src/domain/delivery/arrivals.ts";
import { findChannelById } from "../src/domain/identity/channels/channels.ts";
import type { Hub } from "../src/hub.ts";
import { ann, meetAnn, openBeside } from "./ann.ts";
import { baseUrl } from "./dataset.ts";
import type { World } from "./dataset.ts";
import type { DatabasePlace } from "./databases.ts";
import { median } from "./measure.ts";
import type { Pace } from "./measure.ts";
import { cpuTime, startHub, untilIdle } from "./processes.ts";
import type { Server } from "./processes.ts";

/** Posts of elsewhere that a second of the hub's CPU is enough for, all its threads together. */
export type EffectsRun = { perSecond: number };

export const effectsCase = "posts of elsewhere in streams";

const followers = 5;
const usual = { postsInRound: 300 };
const few: typeof usual = { postsInRound: 10 };
const bytesOfEach = 2000;

/** Posts that have come take effect: a message each, and a row in the stream of everybody who follows their author. */
export async function benchEffects(
  place: DatabasePlace,
  world: World,
  data: string,
  pace: Pace,
  profile?: string,
): Promise<EffectsRun> {
  const { postsInRound } = pace.brief ? few : usual;
  await haveFollowers(place, world, data);
  const beside = await openBeside(place, data);
  const hub = await startHub(place, baseUrl, data, profile);
  try {
    const rounds: number[] = [];
    // The first one, in which the code gets warm, does not count.
    for (let round = 0; round <= pace.rounds; round++) {
      const perSecond = await effectsOf(beside, hub, postsInRound);
      if (round > 0) rounds.push(perSecond);
    }
    return { perSecond: median(rounds) };
  } finally {
    await hub.stop();
    await beside.close();
  }
}

/** They follow her, and she has heard of it: nothing of that is left to be sent. */
async function haveFollowers(place: DatabasePlace, { lonely }: World, data: string): Promise<void> {
  await meetAnn(place, data, async (hub, met) => {
    for (const { uid } of lonely.slice(0, followers)) {
      const channel = (await findChannelById(hub, uid))!;
      await connect(hub, channel, met);
      await receiveAccept(hub, channel, met);
    }
    await hub.db.deleteFrom("delivery").execute();
    await hub.db.deleteFrom("job").execute();
  });
}

async function effectsOf(beside: Hub, hub: Server, count: number): Promise<number> {
  const [rows, posts] = [await rowsIn(beside), Array.from({ length: count }, arrived)];
  await untilIdle(hub.process);
  const before = cpuTime(hub.process);
  for (const post of posts) await recordArrival(beside, post);
  while ((await waiting(beside)) > 0) await wait(100);
  await untilIdle(hub.process);
  const cpu = cpuTime(hub.process) - before;
  const more = (await rowsIn(beside)) - rows;
  if (more !== count * followers) throw new Error(`${count} posts made ${more} rows for ${followers} followers`);
  return (count * 1e6) / cpu;
}

function arrived(): Parameters<typeof recordArrival>[1] {
  const objectId = `https://far.example/note/${randomUUID()}`;
  const [to, cc] = [["https://www.w3.org/ns/activitystreams#Public"], [`${ann}/followers`]];
  const published = new Date().toISOString();
  const object = { id: objectId, type: "Note", attributedTo: ann, to, cc, published, content: "" };
  const empty = JSON.stringify({ id: `${objectId}#create`, type: "Create", actor: ann, to, cc, published, object });
  const words = "A word of news. ".repeat(bytesOfEach).slice(0, bytesOfEach - empty.length);
  const bytes = Buffer.from(empty.replace('"content":""', `"content":"${words}"`));
  return { activityId: `${objectId}#create`, objectId, signer: ann, scheme: "cavage", bytes, recipients: [] };
}

/** Those of people: the site's own channel, which has a copy as well, belongs to no account. */
async function rowsIn({ db }: Hub): Promise<number> {
  const { count } = await db
    .selectFrom("item")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("aid", ">", 0)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** How many have not taken effect. Throws where one can't. */
async function waiting({ db }: Hub): Promise<number> {
  const rows = await db
    .selectFrom("inbox_activity")
    .select((eb) => ["state", "last_error", eb.fn.countAll<number>().as("count")])
    .groupBy(["state", "last_error"])
    .execute();
  const failed = rows.find(({ last_error }) => last_error !== "");
  if (failed) throw new Error(`A post had no effect: ${failed.last_error}`);
  return Number(rows.find(({ state }) => state === "waiting")?.count ?? 0);
}
