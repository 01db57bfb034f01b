import { randomFrom } from "../dataset/random.ts";
import type { Random } from "../dataset/random.ts";
import { at } from "../measure.ts";
import { Agenda } from "./agenda.ts";
import { costs, kinds, mixed } from "./measured.ts";
import type { Cost, Kind, Work } from "./measured.ts";
import { Cores, Places, Thread } from "./stations.ts";

/** The machines of a hub, all of them alike, and the one of PostgreSQL. */
export type City = {
  machines: number;
  cores: number;
  /** Of each machine. */ processes: number;
  /** Of PostgreSQL's own machine; 0: it stands on the only one of the hub. */ databaseCores: number;
};

/** What is asked of it: `mix` says how many of each kind come for each other. */
export type Load = { mix: Partial<Record<Kind, number>> } & (
  | { /** Requests that come in a second, whatever becomes of them. */ perSecond: number }
  | {
      /** Each sends the next request when it has the answer, from a process of the same machine. */ connections: number;
      /** Cores that other programs have meanwhile. */ others: number;
    }
);

export type Outcome = {
  /** Answers in a second. */ perSecond: number;
  /** Milliseconds until the answer. */
  p50: number;
  p99: number;
  /** The same until all is done that had to be done behind it. */ behind99: number;
  /** Part of their time for which the cores work: the machines of the hub, and that of PostgreSQL. */
  hub: number;
  database: number;
};

/** As in the hub: connections of a process to PostgreSQL, and things behind requests that it does at a time. */
const [pool, workers] = [10, 4];
/** Milliseconds between two machines, one way. */
const network = 0.1;
/** Milliseconds; what happens before them is not looked at. */
const warmUp = 1000;

/** Lets a hub be asked for so many seconds. The same seed gives the same outcome. */
export function simulate(city: City, load: Load, seconds: number, seed = 1): Outcome {
  const agenda = new Agenda();
  const world = build(agenda, city, load.mix, randomFrom(seed));
  const [answered, done]: [number[], number[]] = [[], []];
  const counted = (times: number[], from: number) => from >= warmUp && times.push(agenda.now - from);
  const ask = (server: Server, answer: () => void): void => {
    const [from, kind] = [agenda.now, pick(load.mix, world.random)];
    world.request(server, kind, () => {
      counted(answered, from);
      answer();
      world.behind(kind, () => counted(done, from));
    });
  };
  if ("connections" in load) {
    const { cores } = world.servers[0]!;
    const sender = new Thread(cores);
    const busy = (): void => {
      cores.work(load.others * busyEvery, () => undefined);
      agenda.after(busyEvery, busy);
    };
    busy();
    for (let n = 0; n < load.connections; n++) {
      const server = world.random.pick(world.servers);
      const next = (): void => sender.work(meanSender(load.mix), () => ask(server, next));
      next();
    }
  } else {
    const next = (): void => {
      ask(world.random.pick(world.servers), () => undefined);
      agenda.after(world.around(1000 / load.perSecond), next);
    };
    next();
  }
  agenda.runUntil(warmUp);
  const before = world.worked();
  agenda.runUntil(warmUp + seconds * 1000);
  const [hub, database] = world.worked().map((time, n) => (time - before[n]!) / seconds / 1000);
  return {
    perSecond: answered.length / seconds,
    p50: at(answered, 0.5),
    p99: at(answered, 0.99),
    behind99: at(done, 0.99),
    hub: hub! / (city.machines * city.cores),
    database: database! / (city.databaseCores || city.cores),
  };
}

const busyEvery = 10;

type Server = { thread: Thread; cores: Cores; pool: Places };

type Built = {
  random: Random;
  servers: Server[];
  /** A time around this mean, as times of what differs from each other are. */ around(mean: number): number;
  request(server: Server, kind: Kind, done: () => void): void;
  behind(kind: Kind, done: () => void): void;
  worked(): [number, number];
};

function build(agenda: Agenda, city: City, mix: Load["mix"], random: Random): Built {
  const times = timesOf(mix);
  const machines = Array.from({ length: city.machines }, () => new Cores(agenda, city.cores));
  const database = city.databaseCores > 0 ? new Cores(agenda, city.databaseCores) : machines[0]!;
  const way = city.databaseCores > 0 ? network : 0;
  const around = (mean: number): number => -mean * Math.log(1 - random.next());
  const servers = machines.flatMap((cores) =>
    Array.from({ length: city.processes }, () => ({ cores, thread: new Thread(cores), pool: new Places(pool) })),
  );
  const ask = (server: Server, milliseconds: number, done: () => void): void =>
    server.pool.take(() =>
      agenda.after(way, () =>
        database.work(around(milliseconds), () =>
          agenda.after(way, () => {
            server.pool.give();
            done();
          }),
        ),
      ),
    );
  // The hub and PostgreSQL by turns, as many times as it is asked something.
  const run = (server: Server, cost: Work, done: () => void): void => {
    const statements = Math.max(1, Math.round(cost.statements));
    let left = statements;
    const step = (): void =>
      server.thread.work(around((times.hub * cost.hub) / (statements + 1)), () => {
        if (left-- === 0) done();
        else ask(server, (times.database * cost.database) / statements, step);
      });
    step();
  };
  const jobs = new Places(workers * servers.length);
  return {
    random,
    servers,
    around,
    request: (server, kind, done) => run(server, costs[kind], done),
    behind(kind, done) {
      const { behind } = costs[kind];
      if (behind.hub + behind.database === 0) return done();
      jobs.take(() =>
        run(random.pick(servers), behind, () => {
          jobs.give();
          done();
        }),
      );
    },
    worked: () => [machines.reduce((sum, { worked }) => sum + worked, 0), database.worked],
  };
}

function pick(mix: Load["mix"], random: Random): Kind {
  let left = random.next() * total(mix);
  return kinds.find((kind) => (left -= mix[kind] ?? 0) < 0)!;
}

function total(mix: Load["mix"]): number {
  return kinds.reduce((sum, kind) => sum + (mix[kind] ?? 0), 0);
}

function meanSender(mix: Load["mix"]): number {
  return kinds.reduce((sum, kind) => sum + (mix[kind] ?? 0) * costs[kind].sender, 0) / total(mix);
}

/** Different things after each other take more than the same again and again. */
function timesOf(mix: Load["mix"]): Cost {
  return Object.keys(mix).length > 1 ? mixed : { hub: 1, database: 1 };
}

/** Milliseconds that one request of this mix takes of the hub and of PostgreSQL, with what is behind it. */
export function meanCost(mix: Load["mix"]): Cost {
  const times = timesOf(mix);
  const mean = (of: "hub" | "database"): number =>
    (times[of] * kinds.reduce((sum, kind) => sum + (mix[kind] ?? 0) * (costs[kind][of] + costs[kind].behind[of]), 0)) /
    total(mix);
  return { hub: mean("hub"), database: mean("database") };
}

/** The model: requests in a second by which all cores of the hub, or of PostgreSQL, work all the time. */
export function most(
  { machines, cores, processes, databaseCores }: City,
  mix: Load["mix"],
): { hub: number; database: number } {
  const cost = meanCost(mix);
  if (databaseCores === 0) {
    const all = (1000 * cores) / (cost.hub + cost.database);
    return { hub: Math.min(all, (1000 * processes) / cost.hub), database: all };
  }
  return {
    hub: (1000 * machines * Math.min(cores, processes)) / cost.hub,
    database: (1000 * databaseCores) / cost.database,
  };
}
