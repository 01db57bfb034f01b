import { oncePerHub } from "../../../caches.ts";
import { HubError } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { addToBuckets, addToWindows, keyOf } from "./tallies.ts";
import type { Added } from "./tallies.ts";

/**
 * What each process counts of requests in its memory, and all together: once a second a process adds what it has counted to the
 * sums of all, and hears them. Of whom little is counted nothing is written, so that most people never are.
 */

/** How often (milliseconds) processes tell each other. */
const every = 1000;
/** One part of so many of a limit is counted without telling. */
const parts = 50;

/** As much of a limit as one process may have let pass without telling the others. */
export function untold(limit: number): number {
  return Math.floor(limit / parts);
}

/** A count that others are told of. */
type Shared = {
  /** What is to be told now; a failure gives it back. */
  tell(now: number): { count: number; endsAt: number };
  heard(sum: { count: number; endsAt: number }): void;
  giveBack(): void;
};

/** How often something has happened until it counts from nothing again. */
export class Window implements Shared {
  readonly endsAt: number;
  readonly #told: number;
  count = 0;
  #untold = 0;
  #telling = 0;

  constructor(endsAt: number, limit: number) {
    this.endsAt = endsAt;
    this.#told = untold(limit);
  }

  /** Counts one, and answers whether others are to be told. */
  add(): boolean {
    this.#untold++;
    return ++this.count > this.#told;
  }

  tell(): { count: number; endsAt: number } {
    [this.#telling, this.#untold] = [this.#untold, 0];
    return { count: this.#telling, endsAt: this.endsAt };
  }

  heard({ count, endsAt }: { count: number; endsAt: number }): void {
    if (endsAt === this.endsAt) this.count = count + this.#untold;
  }

  giveBack(): void {
    this.#untold += this.#telling;
  }
}

/** Something that flows back at a steady rate: how much is taken is how far off (milliseconds) the time is at which all is back. */
export class Bucket implements Shared {
  readonly #each: number;
  readonly #most: number;
  readonly #told: number;
  #fullAt = 0;
  #untold = 0;
  #telling = 0;

  /** `each`: milliseconds in which one flows back. */
  constructor(each: number, burst: number) {
    this.#each = each;
    this.#most = each * burst;
    this.#told = each * untold(burst);
  }

  /** Milliseconds until there is one to take. */
  wait(now: number): number {
    return Math.max(0, Math.max(this.#fullAt, now) + this.#each - now - this.#most);
  }

  /** Takes one, and answers whether others are to be told. */
  take(now: number): boolean {
    this.#fullAt = Math.max(this.#fullAt, now) + this.#each;
    this.#untold++;
    return this.#fullAt - now > this.#told;
  }

  /** What has flowed back is nothing to tell. */
  tell(now: number): { count: number; endsAt: number } {
    this.#telling = Math.min(this.#untold, Math.max(0, Math.ceil((this.#fullAt - now) / this.#each)));
    this.#untold = 0;
    return { count: 0, endsAt: now + this.#telling * this.#each };
  }

  heard({ endsAt }: { endsAt: number }): void {
    this.#fullAt = endsAt + this.#untold * this.#each;
  }

  giveBack(): void {
    this.#untold += this.#telling;
  }
}

/** What is to be told next, by its name. */
const waiting = oncePerHub(() => ({ windows: new Map<string, Window>(), buckets: new Map<string, Bucket>() }));

/** Has the others told of this count soon. */
export function shareSoon(hub: Hub, name: string, count: Window | Bucket): void {
  if (count instanceof Window) waiting(hub).windows.set(name, count);
  else waiting(hub).buckets.set(name, count);
}

/** Tells the other processes what was counted here, and hears what all have. */
export async function shareCounts(hub: Hub): Promise<void> {
  const { windows, buckets } = waiting(hub);
  const now = hub.clock().getTime();
  await share(hub, windows, now, (rows) => addToWindows(hub, rows));
  await share(hub, buckets, now, (rows) => addToBuckets(hub, rows, now));
}

async function share<T extends Shared>(
  hub: Hub,
  all: Map<string, T>,
  now: number,
  write: (rows: readonly Added[]) => Promise<Added[]>,
): Promise<void> {
  if (all.size === 0) return;
  const telling = [...all].map(([name, count]) => ({ name, key: keyOf(hub, name), count }));
  all.clear();
  const rows = telling.map(({ key, count: of }) => {
    const { count, endsAt } = of.tell(now);
    return { key, count, ends_at: endsAt };
  });
  try {
    const sums = new Map((await write(rows)).map((row) => [row.key, row]));
    for (const { key, count } of telling) {
      const sum = sums.get(key);
      if (sum) count.heard({ count: sum.count, endsAt: sum.ends_at });
    }
  } catch (error) {
    for (const { name, count } of telling) {
      count.giveBack();
      if (!all.has(name)) all.set(name, count);
    }
    throw error;
  }
}

/** Shares counts once a second from now on. Answers what shares those that are left, and ends it. */
export function startSharing(hub: Hub): () => Promise<void> {
  let sharing: Promise<void> | undefined;
  const share = (): Promise<void> =>
    (sharing ??= shareCounts(hub)
      .catch((error: unknown) => {
        // What was counted is told the next time.
        if (!(error instanceof HubError && error.kind === "unavailable"))
          hub.log.error("Counts of requests could not be shared: {error}", { error });
      })
      .finally(() => (sharing = undefined)));
  const timer = setInterval(() => void share(), every);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await sharing;
    await share();
  };
}
