import { FairQueue } from "./fair-queue.ts";
import type { Side } from "./fair-queue.ts";

/** How many milliseconds of one turn of the event loop statements may take. */
const budget = 5;

/**
 * Statements that answer at once never let the event loop turn: awaiting them leads from one to the next, and everybody
 * else waits until all is done. So whoever is about to execute one asks here whether there is time left in this turn of
 * the loop, and otherwise waits for another. Whoever has the writing handle goes on first, since others wait for it.
 */
export class LoopShare {
  readonly #waiting = new FairQueue<() => void>();
  #writer: (() => void)[] = [];
  #isCounting = false;
  #began = 0;

  /** Answers undefined while there is time, else what to wait for. */
  pause(side: Side | "writer"): Promise<void> | undefined {
    if (!this.#isCounting) {
      this.#count();
      return undefined;
    }
    if (performance.now() - this.#began < budget) return undefined;
    return side === "writer" ? new Promise((resolve) => this.#writer.push(resolve)) : this.#wait(side);
  }

  /** To be waited for by many who go on from the same moment: they do so one after the other, as there is time. */
  line(side: Side): Promise<void> {
    if (!this.#isCounting) this.#count();
    return this.#wait(side);
  }

  #wait(side: Side): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve, side));
  }

  #count(): void {
    this.#isCounting = true;
    this.#began = performance.now();
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#began = performance.now();
    const writer = this.#writer.splice(0);
    this.#resume(
      () => writer.forEach((resolve) => resolve()),
      () => this.#others(),
    );
  }

  /** They have time of their own, however much the writer has taken. */
  #others(): void {
    this.#began = performance.now();
    this.#nextOfThem();
  }

  #nextOfThem(): void {
    const began = performance.now();
    const isOver = began - this.#began >= budget;
    const side = this.#waiting.next;
    const next = isOver ? undefined : this.#waiting.shift();
    if (next)
      this.#resume(next, () => {
        if (side === "background") this.#waiting.took(performance.now() - began);
        this.#nextOfThem();
      });
    else if (this.#writer.length > 0 || this.#waiting.next) setImmediate(() => this.#turn());
    else this.#isCounting = false;
  }

  /** Goes on when everything that follows without waiting for anything outside has happened. */
  #resume(one: () => void, then: () => void): void {
    one();
    queueMicrotask(() => process.nextTick(then));
  }
}
