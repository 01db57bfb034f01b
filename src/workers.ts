import { watchClock } from "./clock-watch.ts";
import { catchUpAfterRestore } from "./domain/connections/catch-up.ts";
import { deliveries } from "./domain/delivery/deliveries.ts";
import { setBackQueues } from "./domain/delivery/due.ts";
import { callNeighbours } from "./domain/live/neighbours.ts";
import { arrivals } from "./domain/delivery/effects.ts";
import type { TakeIn } from "./domain/delivery/effects.ts";
import { Worker } from "./domain/delivery/worker.ts";
import { courier } from "./faces/federation/outbox/courier.ts";
import { startFlushing } from "./domain/upkeep/figures.ts";
import { startSharing } from "./domain/identity/throttles/shared-counts.ts";
import type { Hub } from "./hub.ts";
import { setBackJobs } from "./jobs/queue.ts";
import { runDue, startRunner } from "./jobs/runner.ts";

export type Workers = {
  /** What is under way ends or is given back. */
  stop: () => Promise<void>;
};

/** Starts all that a process does beside answering: jobs, what goes to other hubs, and what came from them. */
export async function startWorkers(hub: Hub): Promise<Workers> {
  await catchUpAfterRestore(hub);
  const runner = await startRunner(hub);
  const queues = queuesOf(hub);
  for (const queue of queues) queue.start();
  const quiet = callNeighbours(hub);
  const flushed = startFlushing(hub);
  const shared = startSharing(hub);
  const unwatched = watchClock(hub, async (was) => {
    await setBackJobs(hub, was);
    await setBackQueues(hub, was);
  });
  return {
    async stop() {
      unwatched();
      await Promise.all([runner, ...queues].map((worker) => worker.stop()));
      await quiet();
      await flushed();
      await shared();
    },
  };
}

/** Does all of that which is due, and what it causes, until nothing is left. */
export async function workOff(hub: Hub): Promise<void> {
  for (;;) {
    await runDue(hub);
    let taken = 0;
    for (const queue of queuesOf(hub)) taken += await queue.drain();
    if (taken === 0) return;
  }
}

/** Loaded with the first arrival. */
const takeIn: TakeIn = async (hub, arrival) =>
  (await import("./faces/federation/inbox/take-in.ts")).takeIn(hub, arrival);

function queuesOf(hub: Hub) {
  return [new Worker(hub, deliveries(courier)), new Worker(hub, arrivals(takeIn))];
}
