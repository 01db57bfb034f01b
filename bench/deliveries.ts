import { generateKeyPairSync, sign } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { readConfig } from "../src/config/config.ts";
import { sendOut } from "../src/domain/delivery/outgoing.ts";
import type { Outgoing } from "../src/domain/delivery/outgoing.ts";
import { openHub } from "../src/hub.ts";
import type { Hub } from "../src/hub.ts";
import type { DatabasePlace } from "./databases.ts";
import { makePeople } from "./dataset/people.ts";
import type { Person } from "./dataset/people.ts";
import { median } from "./measure.ts";
import type { Pace } from "./measure.ts";
import { cpuTime, startElsewhere, startHub, untilIdle } from "./processes.ts";
import type { Server } from "./processes.ts";

/** What a second of the hub's CPU is enough for, all its threads together. */
export type DeliveryRun = {
  /** Deliveries: lease, signature, request, and the result on the disk. */
  perSecond: number;
  /** Bare signatures, measured by turns with these. */
  signatures: number;
};

export const deliveryCase = "deliveries";

const hosts = 20;
/** Each activity goes to all hosts. */
const usual: Amount = { activities: 150, signatures: 1500 };
const few: Amount = { activities: 10, signatures: 100 };
const bytesOfEach = 2000;
const baseUrl = "http://hub.localhost";

/** How much there is in a round. */
type Amount = { activities: number; signatures: number };

/** Sends activities to other hubs on this machine, from a database that is empty before: hubs that anybody reaches send none there. */
export async function benchDeliveries(
  place: DatabasePlace,
  data: string,
  pace: Pace,
  profile?: string,
): Promise<DeliveryRun> {
  const amount = pace.brief ? few : usual;
  const elsewhere = await startElsewhere({ hosts });
  const env = { HUBBUB_BASE_URL: baseUrl, HUBBUB_ALLOW_PRIVATE: "on" };
  const sender = await openHub(
    readConfig({ ...env, HUBBUB_DATA: data, HUBBUB_DATABASE_URL: place.url, HUBBUB_LOG_LEVEL: "off" }),
  );
  const people = await makePeople(sender, ["ann", "bert", "carla"]);
  const hub = await startHub(place, baseUrl, data, profile, env);
  try {
    const rounds: DeliveryRun[] = [];
    // The first one, in which the code gets warm, does not count.
    for (let round = 0; round <= pace.rounds; round++) {
      const signatures = bareSignatures(amount);
      await untilIdle(hub.process);
      const perSecond = await deliverRound(sender, hub, activitiesOf(people, elsewhere.port, round, amount));
      if (round > 0) rounds.push({ perSecond, signatures });
    }
    return {
      perSecond: median(rounds.map((one) => one.perSecond)),
      signatures: median(rounds.map((one) => one.signatures)),
    };
  } finally {
    await hub.stop();
    await sender.close();
    await elsewhere.stop();
  }
}

function activitiesOf(people: Person[], port: number, round: number, { activities }: Amount): Outgoing[] {
  const to = Array.from({ length: hosts }, (_, n) => ({
    inbox: `http://127.0.1.${n + 1}:${port}/inbox`,
    people: [1],
    shared: true,
  }));
  return Array.from({ length: activities }, (_, n) => {
    const objectId = `${baseUrl}/item/${round}-${n}`;
    const bytes = JSON.stringify({ id: `${objectId}#create`, type: "Create", object: { id: objectId, content: "" } });
    const sender = people[n % people.length]!.channel.channel_id;
    return {
      deed: `create ${round}-${n}`,
      variant: "",
      sender,
      objectId,
      bytes: bytes.replace('""', `"${"x".repeat(bytesOfEach - bytes.length)}"`),
      to,
    };
  });
}

async function deliverRound(sender: Hub, hub: Server, activities: Outgoing[]): Promise<number> {
  const before = cpuTime(hub.process);
  await sendOut(sender, activities);
  while ((await waiting(sender)) > 0) await wait(50);
  await untilIdle(hub.process);
  return (activities.length * hosts * 1e6) / (cpuTime(hub.process) - before);
}

/** How many are left. Throws where one has gone wrong. */
async function waiting({ db }: Hub): Promise<number> {
  const rows = await db
    .selectFrom("delivery")
    .select((eb) => ["state", "last_error", eb.fn.countAll().as("count")])
    .groupBy(["state", "last_error"])
    .execute();
  const failed = rows.find(({ last_error }) => last_error !== "");
  if (failed) throw new Error(`A delivery failed: ${failed.last_error}`);
  return Number(rows.find(({ state }) => state === "waiting")?.count ?? 0);
}

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** For each second of CPU, of texts as long as what is signed of a request. */
function bareSignatures({ signatures }: Amount): number {
  const text = Buffer.alloc(250, "x");
  const before = process.cpuUsage();
  for (let n = 0; n < signatures; n++) sign("sha256", text, privateKey);
  const { user, system } = process.cpuUsage(before);
  return (signatures * 1e6) / (user + system);
}
