import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { oncePerHub } from "../../caches.ts";
import type { JobEnd, RequestRow } from "../../counters.ts";
import type { Durations } from "../../counters.ts";
import { countListeners } from "../../domain/listeners/listeners.ts";
import type { Hub } from "../../hub.ts";

/** Durations without what computes them, so that they can go from process to process. */
export type Measured = Pick<Durations, "count" | "seconds"> & { within: readonly number[] };

/** What one process can tell of itself. */
export type ProcessFacts = {
  requests: (RequestRow & { durations: Measured; statuses: readonly (readonly [status: number, count: number])[] })[];
  statements: Measured;
  slowStatements: number;
  /** What was refused because too much was asked. */
  refused: readonly (readonly [asked: string, count: number])[];
  /** Where there is a replica: by where it was read, what might have been a second old. */
  replicaReads: readonly (readonly [from: string, count: number])[];
  pool: ReturnType<Hub["pool"]>;
  jobs: { job: string; durations: Measured; ends: Readonly<Record<JobEnd, number>> }[];
  queues: { queue: string; ends: readonly (readonly [end: string, count: number])[] }[];
  s3: { use: string; durations: Measured; failures: number }[];
  streams: number;
  loop: { activeSeconds: number; delays: readonly (readonly [quantile: string, seconds: number])[] };
  memory: Pick<NodeJS.MemoryUsage, "rss" | "heapUsed" | "external">;
  cpuSeconds: number;
  startedSeconds: number;
};

/** Measuring how late the loop comes costs a timer, so it begins with the first who asks. */
const delays = oncePerHub((): { of: ReturnType<typeof monitorEventLoopDelay> } => {
  const of = monitorEventLoopDelay({ resolution: 20 });
  of.enable();
  return { of };
});

export function processFacts(hub: Hub): ProcessFacts {
  const { counters } = hub;
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  return {
    requests: [...counters.requests].map(({ durations, statuses, ...row }) => ({
      ...row,
      durations: measured(durations),
      statuses: [...statuses],
    })),
    statements: measured(counters.statements),
    slowStatements: counters.slowStatements,
    refused: Object.entries(counters.refused),
    replicaReads: hub.replica ? Object.entries(counters.replicaReads) : [],
    pool: hub.pool(),
    jobs: [...counters.jobs].map(([job, { durations, ends }]) => ({ job, durations: measured(durations), ends })),
    queues: [...counters.queues].map(([queue, ends]) => ({ queue, ends: [...ends] })),
    s3: [...counters.s3].map(([use, { durations, failures }]) => ({ use, durations: measured(durations), failures })),
    streams: countListeners(hub),
    loop: { activeSeconds: performance.eventLoopUtilization().active / 1000, delays: takeDelays(hub) },
    memory: { rss, heapUsed, external },
    cpuSeconds: (user + system) / 1e6,
    startedSeconds: performance.timeOrigin / 1000,
  };
}

function measured({ count, seconds, within }: Durations): Measured {
  return { count, seconds, within };
}

/** How late the loop has come since this was asked last. */
function takeDelays(hub: Hub): ProcessFacts["loop"]["delays"] {
  const { of } = delays(hub);
  const seconds = (nanoseconds: number): number => nanoseconds / 1e9;
  const found = [
    ["0.5", seconds(of.percentile(50))],
    ["0.99", seconds(of.percentile(99))],
    ["1", of.count === 0 ? 0 : seconds(of.max)],
  ] as const;
  of.reset();
  return found;
}
