import { oncePerHub } from "../caches.ts";
import type { Asked } from "../counters.ts";
import type { Hub } from "../hub.ts";
import { Line } from "./line.ts";

type Use = ReturnType<typeof performance.eventLoopUtilization>;

/** Where requests come in, and what was found when somebody looked last (`at`) whether there is time for more. */
type Entrance = { lines?: Record<Asked, Line>; at: number; use: Use; hasTime: boolean; told: number };

const entrances = oncePerHub((): Entrance => ({
  at: -Infinity,
  use: performance.eventLoopUtilization(),
  hasTime: true,
  told: -Infinity,
}));

/** A process that works for more than this part of the time has none for more. */
const busy = 0.9;
/** What is written together is brought to the disk together, and what is read at once shares a look at the database: fewer would cost more each. */
const places = 64;
/** What was found holds for so many milliseconds. */
const holdsFor = 20;
/** So often (milliseconds) the log says that requests are refused. */
const toldEvery = 60_000;

/**
 * Does what is asked when its turn comes: at once as long as the hub can do all that is asked, else in the order of arrival. Throws
 * Overloaded where that would take too long, before anything is done.
 */
export async function letIn<T>(hub: Hub, asked: Asked, work: () => Promise<T>): Promise<T> {
  const leave = await lineOf(hub, asked)
    .enter()
    .catch((error: unknown) => {
      countRefused(hub, asked);
      throw error;
    });
  try {
    return await work();
  } finally {
    leave();
  }
}

/**
 * Where the process or the database is busy, no more than these are under way at once, and the others wait, for five seconds at most.
 * Deliveries of other hubs come again by themselves: they have places of their own, and are sent away sooner.
 */
function lineOf(hub: Hub, asked: Asked): Line {
  const entrance = entrances(hub);
  entrance.lines ??= {
    requests: new Line(places, 5000, () => hasTime(hub)),
    deliveries: new Line(places, 2000, () => hasTime(hub)),
  };
  return entrance.lines[asked];
}

/** Has the process been idle now and then, and does no request wait for the database? */
function hasTime(hub: Hub): boolean {
  const last = entrances(hub);
  const at = performance.now();
  if (at - last.at >= holdsFor) {
    const use = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(use, last.use);
    Object.assign(last, { at, use, hasTime: utilization < busy && hub.pool().requests === 0 });
  }
  return last.hasTime;
}

/** Counts what is refused because too much is asked. The log has a line now and then: one for each would be more work. */
function countRefused(hub: Hub, asked: Asked): void {
  hub.counters.refused[asked]++;
  const entrance = entrances(hub);
  const now = performance.now();
  if (now - entrance.told < toldEvery) return;
  entrance.told = now;
  hub.log.warning("More is asked than this process can do: some of the {asked} are refused", { asked });
}
