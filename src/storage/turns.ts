import type { Arrivals } from "./arrivals.ts";
import { FairQueue } from "./fair-queue.ts";
import type { Side } from "./fair-queue.ts";

/** Lets one at a time through: requests in the order of arrival, background work between them. */
export class Turns {
  readonly #arrivals: Arrivals;
  readonly #waiting = new FairQueue<() => void>();
  #isTaken = false;

  constructor(arrivals: Arrivals) {
    this.#arrivals = arrivals;
  }

  /** Who comes after the one whose turn it is. */
  get next(): Side | undefined {
    return this.#waiting.next;
  }

  /** How many wait. */
  get length(): number {
    return this.#waiting.length;
  }

  /** How many of them are requests. */
  get requests(): number {
    return this.#waiting.requests;
  }

  /** Resolves when it is one's turn, which lasts until the answered function is called. */
  async enter(side: Side): Promise<() => void> {
    if (this.#isTaken)
      await new Promise<void>((resolve) => this.#waiting.push(resolve, side, this.#arrivals.visitor.place));
    this.#isTaken = true;
    const entered = performance.now();
    return () => {
      if (side === "background") this.#waiting.took(performance.now() - entered);
      this.#leave();
    };
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#isTaken = false;
  }
}
