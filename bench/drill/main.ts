import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { migrate, openDatabase } from "../../src/storage/database.ts";
import { workOff } from "../../src/workers.ts";
import { basic } from "../../test/support/client.ts";
import { openPlace, serve, textsOf } from "../../test/support/command.ts";
import type { Place, Serving } from "../../test/support/command.ts";
import { findPrograms } from "../../test/support/find-postgres.ts";
import { freePort } from "../../test/support/free-port.ts";
import { makeChannel, password } from "../../test/support/hub.ts";
import { startCluster } from "../../test/support/postgres.ts";
import type { Cluster } from "../../test/support/postgres.ts";
import { startElsewhere } from "./elsewhere.ts";
import type { Elsewhere } from "./elsewhere.ts";
import { startLoad } from "./load.ts";
import type { Load, Order } from "./load.ts";
import { report } from "./report.ts";
import type { Fault, Kept } from "./report.ts";

/** `npm run drill`: a hub of several processes on a PostgreSQL of its own loses them one after the other while people and servers use it. */

const usage = `npm run drill -- [options]
  --posts N      posts of people in a second (10)
  --reads N      home timelines that people read in a second (100)
  --inbox N      signed posts of another server in a second (50)
  --processes N  processes of the hub (2)
  --every N      seconds from one fault to the next (15)
  --away N       seconds for which PostgreSQL is away (3)
`;

type Options = { posts: number; reads: number; inbox: number; processes: number; every: number; away: number };

function readOptions(): Options {
  const usual = { posts: "10", reads: "100", inbox: "50", processes: "2", every: "15", away: "3" };
  const named = Object.entries(usual).map(([name, value]) => [name, { type: "string", default: value }] as const);
  const { values } = parseArgs({ options: Object.fromEntries(named) });
  const number = (name: keyof Options): number => {
    const value = Number(values[name]);
    if (!(value > 0 && value <= 1000)) throw new Error(`--${name} takes a number up to 1000.\n\n${usage}`);
    return value;
  };
  const [posts, reads, inbox] = [number("posts"), number("reads"), number("inbox")];
  return { posts, reads, inbox, processes: number("processes"), every: number("every"), away: number("away") };
}

async function main(): Promise<void> {
  const options = readOptions();
  const programs = findPrograms();
  if (programs === undefined) throw new Error("The drill restarts a PostgreSQL, and needs its programs here.");
  // What was acknowledged is in its log, so that it may be killed; only the machine must not go away.
  const postgres = await startCluster(programs, { max_connections: 100, fsync: "off" });
  const folder = mkdtempSync(join(tmpdir(), "hubbub-drill-"));
  const elsewhere = await startElsewhere();
  try {
    const place = await placeOn(postgres, folder, options);
    const clock = startClock();
    const { load, faults, acknowledged } = await drill(place, postgres, elsewhere, options, clock);
    const kept = await checkKept(place, elsewhere, acknowledged);
    const { text, isGood } = report(load, faults, kept);
    process.stdout.write(text);
    process.exitCode = isGood ? 0 : 1;
  } finally {
    elsewhere.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function startClock(): () => number {
  const began = performance.now();
  return () => performance.now() - began;
}

async function placeOn({ url }: Cluster, folder: string, { processes }: Options): Promise<Place> {
  const db = openDatabase({ engine: "postgres", url });
  await migrate(db, "postgres");
  await db.destroy();
  const port = String(await freePort());
  const address = `http://127.0.0.1:${port}`;
  const env = {
    HUBBUB_BASE_URL: address,
    HUBBUB_PORT: port,
    HUBBUB_DATA: folder,
    HUBBUB_DATABASE_URL: url,
    HUBBUB_PROCESSES: String(processes),
    HUBBUB_ALLOW_PRIVATE: "on",
    HUBBUB_RATE_LIMITS: "off",
    HUBBUB_LOG_LEVEL: "off",
  };
  return { env, folder, url: address, remove: () => Promise.resolve() };
}

type Acknowledged = Record<"posts" | "inbox", string[]>;

async function drill(
  place: Place,
  postgres: Cluster,
  elsewhere: Elsewhere,
  { every, away, ...rates }: Options,
  now: () => number,
): Promise<{ load: Load; faults: Fault[]; acknowledged: Acknowledged }> {
  const hub = await openPlace(place);
  const anna = await makeChannel(hub, "anna", { role: "feed" });
  await elsewhere.befriend(hub, anna);
  await hub.close();
  const serving = await serve(place);
  const acknowledged: Acknowledged = { posts: [], inbox: [] };
  const faults: Fault[] = [];
  const fault = async (name: string, work: () => unknown): Promise<void> => {
    const from = now();
    await work();
    faults.push({ name, from, over: now() });
    await sleep(every * 1000);
  };
  try {
    await untilServing(place, serving, rates.processes);
    const load = startLoad(ordersOf(place, elsewhere, rates, acknowledged), now);
    try {
      await sleep(every * 1000);
      for (const [at, pid] of pidsOf(serving).entries())
        await fault(`process ${at + 1} killed`, () => process.kill(pid, "SIGKILL"));
      await fault(`PostgreSQL away for ${away} s`, () => postgres.restart(away * 1000));
    } finally {
      await load.end();
    }
    return { load, faults, acknowledged };
  } finally {
    await serving.stop();
  }
}

/** The processes that serve, by their numbers in the system. */
function pidsOf({ child: { pid } }: Serving): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
}

async function untilServing({ url }: Place, serving: Serving, processes: number): Promise<void> {
  for (let attempt = 0; pidsOf(serving).length < processes || !(await fetch(`${url}/ready`)).ok; attempt++) {
    if (attempt > 300) throw new Error("The hub does not get ready.");
    await sleep(100);
  }
}

function ordersOf(
  { url }: Place,
  elsewhere: Elsewhere,
  rates: Pick<Options, "posts" | "reads" | "inbox">,
  acknowledged: Acknowledged,
): Order[] {
  const headers = { authorization: basic(`anna:${password}`) };
  const ask = async (path: string, body?: URLSearchParams): Promise<Response> =>
    whole(await fetch(url + path, { headers, signal: patience(), ...(body && { method: "POST", body }) }));
  /** A server sends again what was not taken. */
  const unanswered: string[] = [];
  return [
    {
      name: "posts",
      rate: rates.posts,
      send: unlessBroken(async (number) => {
        const text = `post ${number} end`;
        const answer = await ask("/api/statuses/update.json", new URLSearchParams({ status: text }));
        if (answer.ok) acknowledged.posts.push(text);
        return answer;
      }),
    },
    { name: "reads", rate: rates.reads, send: unlessBroken(() => ask("/api/statuses/home_timeline.json")) },
    {
      name: "inbox",
      rate: rates.inbox,
      async send(number) {
        const text = unanswered.shift() ?? `came ${number} end`;
        const answer = await unlessBroken(async () => whole(await elsewhere.post(url, text)))(number);
        (answer?.ok ? acknowledged.inbox : unanswered).push(text);
        return answer;
      },
    },
  ];
}

const patience = (): AbortSignal => AbortSignal.timeout(20_000);

/** The answer, once all of it is there. */
async function whole(answer: Response): Promise<Response> {
  await answer.arrayBuffer();
  return answer;
}

function unlessBroken(send: Order["send"]): Order["send"] {
  return (number) => send(number).catch(() => undefined);
}

/** What is stored once everything that waits is done. */
async function checkKept(place: Place, elsewhere: Elsewhere, { posts, inbox }: Acknowledged): Promise<Kept[]> {
  // What a process that was killed had taken is its own for some minutes more.
  const hub = await openPlace(place, 600);
  await workOff(hub);
  const kept = [
    { name: "posts", acknowledged: posts, stored: await textsOf(hub, "anna", "post ") },
    { name: "inbox", acknowledged: inbox, stored: await textsOf(hub, "anna", "came ") },
    { name: "posts at a follower's", acknowledged: posts, stored: elsewhere.texts() },
  ];
  await hub.close();
  return kept;
}

await main();
