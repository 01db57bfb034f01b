import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { findPrograms } from "../../test/support/find-postgres.ts";
import { quick, startCluster } from "../../test/support/postgres.ts";
import { meetAnn } from "../ann.ts";
import { cases } from "../cases.ts";
import { cacheFolder, postgresShelf } from "../databases.ts";
import type { DatabasePlace } from "../databases.ts";
import { baseUrl, dataSet } from "../dataset.ts";
import type { World } from "../dataset.ts";
import { password } from "../dataset/people.ts";
import { randomFrom } from "../dataset/random.ts";
import { putFilm } from "../film.ts";
import { signedPost } from "../inbox.ts";
import type { Call } from "../load/main.ts";
import { at, checked, middle } from "../measure.ts";
import { startHub, startKeepingHub, startLoader } from "../processes.ts";
import type { Loader, Server } from "../processes.ts";
import { progress } from "../progress.ts";
import { giveSessions } from "../sessions.ts";
import { kinds, mix } from "./measured.ts";
import type { Cost, Kind, Point, RequestCost, Work } from "./measured.ts";
import { timeOfAll, timeOfMachine } from "./processor.ts";

const size = { messages: 5000, channels: 100, readers: 50 };
const [rounds, connections, requests, seconds] = [2, 16, 500, 60];
/** Turns of the mix in which the code gets warm. Each process has to by itself, so each of them is sent as many requests in every turn. */
const warmTurns = 3;

/** One turn: all figures for each request. */
type Turn = Point & Work & { sender: number; bytes: number };

/** What is needed for a turn. */
type Rig = { world: World; loader: Loader; postgres: pg.Client; postmaster: number };

/** Measures what requests cost on a PostgreSQL of its own, and what one and two processes do on this machine. */
export async function measure(file: string): Promise<void> {
  const programs = findPrograms();
  if (programs === undefined) throw new Error("There are no programs to start a PostgreSQL with");
  const preload = { shared_preload_libraries: "pg_stat_statements" };
  const { url, stop } = await startCluster(programs, { ...quick, ...preload });
  const postgres = new pg.Client({ connectionString: url });
  const loader = startLoader();
  mkdirSync(cacheFolder, { recursive: true });
  const data = mkdtempSync(join(cacheFolder, "simulation-"));
  try {
    await postgres.connect();
    await postgres.query("create extension pg_stat_statements");
    const pid = await postgres.query<{ pid: string }>(
      "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid",
    );
    const set = await dataSet(postgresShelf(url), size, true);
    const place = await set.copy("simulation");
    await putFilm(data);
    await giveSessions(place, set.world);
    await meetAnn(place, data);
    const rig = { world: set.world, loader, postgres, postmaster: Number(pid.rows[0]!.pid) };
    const turns = await allTurns(rig, place, data);
    writeFileSync(file, `${JSON.stringify(summed(turns), null, 2)}\n`);
  } finally {
    await loader.stop();
    await postgres.end();
    await stop();
    rmSync(data, { recursive: true, force: true });
  }
}

/** Zero processes stand for one that keeps what is to be done later and doesn't do it. */
async function allTurns(rig: Rig, place: DatabasePlace, data: string): Promise<Turn[]> {
  const turns: Turn[] = [];
  for (let round = 0; round < rounds; round++)
    for (const processes of [0, 1, 2]) {
      const hub =
        processes === 0
          ? await startKeepingHub(place, baseUrl, data)
          : await startHub(place, baseUrl, data, undefined, { HUBBUB_PROCESSES: String(processes) });
      try {
        for (let n = 0; n < warmTurns; n++) await turn(rig, hub, processes, "mix");
        for (const sent of processes === 0 ? (["post", "inbox"] as const) : ([...kinds, "mix"] as const)) {
          const found = await turn(rig, hub, processes, sent);
          progress(JSON.stringify(found));
          turns.push(found);
        }
      } finally {
        await hub.stop();
      }
    }
  return turns;
}

async function turn(rig: Rig, hub: Server, processes: number, sent: Kind | "mix"): Promise<Turn> {
  const { loader, postgres, postmaster } = rig;
  const calls = await callsOf(sent, rig.world, Math.max(1, processes));
  await untilQuiet(hub, postmaster);
  await postgres.query("select pg_stat_statements_reset()");
  const clock = () => ({
    hub: timeOfAll(hub.process.pid!),
    database: timeOfAll(postmaster),
    sender: loader.cpuTime() / 1000,
    machine: timeOfMachine(),
  });
  const before = clock();
  const result = checked(
    await loader.run({ port: hub.port, calls, connections, pause: 0, seconds, most: calls.length }),
  );
  const during = clock();
  await untilQuiet(hub, postmaster);
  const after = clock();
  const { rows } = await postgres.query<{ calls: string }>("select sum(calls) as calls from pg_stat_statements");
  const each = (time: number): number => time / result.requests;
  const ours = (["hub", "database", "sender"] as const).reduce((sum, who) => sum + during[who] - before[who], 0);
  return {
    processes,
    connections,
    sent,
    perSecond: result.requests / result.seconds,
    p50: at(result.times, 0.5),
    p99: at(result.times, 0.99),
    others: (during.machine - before.machine - ours) / 1000 / result.seconds,
    hub: each(after.hub - before.hub),
    database: each(after.database - before.database),
    sender: each(after.sender - before.sender),
    statements: each(Number(rows[0]!.calls)),
    bytes: each(result.bytes),
  };
}

async function untilQuiet(hub: Server, postmaster: number): Promise<void> {
  for (let n = 0; n < 60; n++) {
    const before = timeOfAll(hub.process.pid!, postmaster);
    await wait(500);
    if (timeOfAll(hub.process.pid!, postmaster) - before <= 30) return;
  }
}

async function callsOf(sent: Kind | "mix", world: World, processes: number): Promise<Call[]> {
  const random = randomFrom(Date.now());
  const asked = kinds.flatMap((kind) => Array.from({ length: mix[kind] }, () => kind));
  const length = processes * requests * (sent === "verify" || sent === "poll" || sent === "mix" ? 4 : 2);
  return Promise.all(
    Array.from({ length }, () => callOf(sent === "mix" ? random.pick(asked) : sent, world, random.next())),
  );
}

const named = {
  home: "statuses/home_timeline",
  poll: "a poll without news: statuses/home_timeline",
  conversation: "conversation",
  page: "stream page (HTML)",
  post: "statuses/update",
};

async function callOf(kind: Kind, world: World, place: number): Promise<Call> {
  if (kind === "inbox") return signedPost("cavage");
  const of = <T>(list: readonly T[]): T => list[Math.floor(place * list.length)]!;
  if (kind === "verify")
    return { method: "GET", path: "/api/z/1.0/verify.json", login: `${of(world.residents).nick}:${password}` };
  return of(cases.find(({ name }) => name === named[kind])!.pairs(world)).hub;
}

/**
 * Costs are means of the turns; what comes behind an answer is what is missing where it is only kept. What came in a second is that of
 * the turn in which other programs had least.
 */
function summed(turns: Turn[]): { costs: Record<string, RequestCost>; mixed: Cost; points: Point[] } {
  const of = (processes: number, sent: string, figure: Exclude<keyof Turn, "sent">): number => {
    const found = turns.filter((one) => one.processes === processes && one.sent === sent);
    return rounded(middle(found.map((one) => one[figure])));
  };
  const costs = kinds.map((kind): [Kind, RequestCost] => {
    const figures = ["hub", "database", "statements"] as const;
    const keeps = kind === "post" || kind === "inbox";
    const whole = figures.map((name) => of(1, kind, name));
    const behind = figures.map((name, at) => (keeps ? Math.max(0, whole[at]! - of(0, kind, name)) : 0));
    const work = (values: number[]): Work =>
      Object.fromEntries(figures.map((name, at) => [name, rounded(values[at]!)])) as Work;
    return [
      kind,
      {
        ...work(whole.map((value, at) => value - behind[at]!)),
        sender: of(1, kind, "sender"),
        bytes: Math.round(of(1, kind, "bytes")),
        behind: work(behind),
      },
    ];
  });
  const all = kinds.reduce((sum, kind) => sum + mix[kind], 0);
  const more = (figure: "hub" | "database"): number =>
    rounded((of(1, "mix", figure) * all) / kinds.reduce((sum, kind) => sum + mix[kind] * of(1, kind, figure), 0));
  const mixed = { hub: more("hub"), database: more("database") };
  const points = [1, 2].flatMap((processes) =>
    [...kinds, "mix" as const].map((sent) => quietest(turns, processes, sent)),
  );
  return { costs: Object.fromEntries(costs), mixed, points };
}

function quietest(turns: Turn[], processes: number, sent: Kind | "mix"): Point {
  const [turn] = turns
    .filter((one) => one.processes === processes && one.sent === sent)
    .toSorted((one, other) => one.others - other.others);
  const { perSecond, p50, p99, others } = turn!;
  const figures = { perSecond, p50, p99, others };
  return {
    processes,
    connections,
    sent,
    ...(Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, rounded(value)])) as typeof figures),
  };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
