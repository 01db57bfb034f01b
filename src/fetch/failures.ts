import { boundedMap } from "../caches.ts";
import type { Cache } from "../caches.ts";

/** What went wrong: the status of the answer, or why there was none. */
export type Failure = { status: number } | { error: Error };

type Remembered = { failure: Failure; until: number; wait: number; since: number };

const mostFailures = 20_000;
const minute = 60_000;
const goneFor = 60 * minute;
const shortest = 5 * minute;
const longest = 6 * 60 * minute;

/** What could not be had is not asked for again for a while (federation contract 10). */
export class Failures {
  readonly #clock: () => Date;
  readonly #known: Cache<string, Remembered> = boundedMap(mostFailures);

  constructor(clock: () => Date) {
    this.#clock = clock;
  }

  /** What is said of this at present without asking. Whoever asks by hand is let through once a minute. */
  of(name: string, byHand: boolean): Failure | undefined {
    const known = this.#known.get(name);
    const now = this.#clock().getTime();
    if (!known || known.until <= now || (byHand && known.since + minute <= now)) return undefined;
    return known.failure;
  }

  /** What came of asking; undefined: all is well. */
  record(name: string, failure: Failure | undefined): void {
    if (!failure) return this.#known.delete(name);
    const wait = this.#waitAfter(name, failure);
    const since = this.#clock().getTime();
    this.#known.set(name, { failure, wait, since, until: since + wait });
  }

  #waitAfter(name: string, failure: Failure): number {
    if ("status" in failure && (failure.status === 404 || failure.status === 410)) return goneFor;
    const before = this.#known.get(name);
    return before ? Math.min(before.wait * 2, longest) : shortest;
  }
}
