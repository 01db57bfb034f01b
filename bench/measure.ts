import type { Case, Pair } from "./cases/case.ts";
import type { Call, LoadResult } from "./load/main.ts";
import { logIn } from "./log-in.ts";
import { cpuTime, untilIdle } from "./processes.ts";
import type { Loader, Server } from "./processes.ts";

/** What one side of a case did in all rounds together. */
export type Figures = {
  rps: number;
  p50: number;
  p99: number;
  /** Microseconds of the server's process per request. */ cpu: number;
  requests: number;
};

export type Pace = { seconds: number; rounds: number; connections: number; /** Once is enough. */ brief: boolean };

const mostInRound = 200_000;
/**
 * Load before the first round, while the code gets warm: so many seconds, and on a machine with other work as many turns
 * more as it takes for so many requests. Until then a request costs up to twice as much.
 */
const warmUp = { seconds: 1.5, turns: 6, requests: 1000 };

type Side = { server: Server; calls: Call[]; rounds: { rps: number; cpu: number }[]; times: number[] };

/**
 * Measures servers by turns in short rounds, so that what else goes on on the machine meets all of them alike.
 * Throughput and CPU are medians of the rounds. Throws when an answer is not a success.
 */
export async function measureByTurns(
  loader: Loader,
  servers: { server: Server; calls: Call[] }[],
  pace: Pace,
  pause = 0,
): Promise<Figures[]> {
  const sides = servers.map((side): Side => ({ ...side, rounds: [], times: [] }));
  const order = { connections: pause > 0 ? 1 : pace.connections, pause, most: mostInRound };
  const seconds = Math.min(warmUp.seconds, pace.seconds / 3);
  const turns = pace.brief ? 0 : pause > 0 ? 1 : warmUp.turns;
  for (const { server, calls } of sides) {
    await logIn(server, calls);
    await warm(() => loader.run({ ...order, port: server.port, calls, seconds }), turns);
  }
  for (let round = 0; round < pace.rounds; round++) {
    for (const side of sides) {
      await logIn(side.server, side.calls);
      await untilIdle(side.server.process);
      const before = cpuTime(side.server.process);
      const seconds = pace.seconds / pace.rounds;
      const result = checked(await loader.run({ ...order, port: side.server.port, calls: side.calls, seconds }));
      side.rounds.push({
        rps: result.requests / result.seconds,
        cpu: (cpuTime(side.server.process) - before) / result.requests,
      });
      side.times.push(...result.times);
    }
  }
  return sides.map(figuresOf);
}

async function warm(load: () => Promise<LoadResult>, turns: number): Promise<void> {
  for (let turn = 0, requests = 0; turn < turns && requests < warmUp.requests; turn++) {
    requests += checked(await load()).requests;
  }
}

/** Hub and floor on the same questions. */
export async function measureCase(
  one: Case,
  pairs: Pair[],
  loader: Loader,
  hub: Server,
  floor: Server,
  pace: Pace,
): Promise<{ hub: Figures; floor: Figures }> {
  const sides = [
    { server: hub, calls: pairs.map((pair) => pair.hub) },
    { server: floor, calls: pairs.map((pair) => pair.floor) },
  ];
  const [ofHub, ofFloor] = await measureByTurns(loader, sides, pace, one.pause);
  return { hub: ofHub!, floor: ofFloor! };
}

/** CPU of the server for each of these calls, every one of which is sent once; in microseconds. */
export async function cpuOfEach(calls: Call[], server: Server, loader: Loader, { connections }: Pace): Promise<number> {
  await logIn(server, calls);
  await untilIdle(server.process);
  const before = cpuTime(server.process);
  const order = { port: server.port, calls, connections, pause: 0, seconds: 60, most: calls.length };
  const result = checked(await loader.run(order));
  return (cpuTime(server.process) - before) / result.requests;
}

/** The same, unless an answer was no success or there was none. */
export function checked(result: LoadResult): LoadResult {
  const { errors, requests } = result;
  if (errors.length > 0) throw new Error(`Requests failed: ${errors.slice(0, 3).join("; ")}`);
  if (requests === 0) throw new Error("Not one request was answered");
  return result;
}

function figuresOf({ rounds, times }: Side): Figures {
  return {
    rps: median(rounds.map((round) => round.rps)),
    cpu: median(rounds.map((round) => round.cpu)),
    p50: at(times, 0.5),
    p99: at(times, 0.99),
    requests: times.length,
  };
}

/** The time within which this part of them was over. */
export function at(times: readonly number[], part: number): number {
  const sorted = Float64Array.from(times).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
}

/** The mean of the middle half; a clock that counts in hundredths of a second makes steps of a median. */
export function middle(values: number[]): number {
  const quarter = Math.floor(values.length / 4);
  const half = values.toSorted((one, other) => one - other).slice(quarter, values.length - quarter);
  return half.reduce((sum, value) => sum + value, 0) / half.length;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)]!;
}
