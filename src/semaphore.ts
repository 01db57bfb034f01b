import { availableParallelism } from "node:os";

/** For work of other threads: one core stays free for the thread that answers. */
export const allCoresButOne = Math.max(1, availableParallelism() - 1);

/** Lets a number of callers in at once; who finds no room waits, in the order of arrival. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** How many wait. */
  get length(): number {
    return this.#waiting.length;
  }

  async take(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }

  /** Does the work once there is room. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.take();
    try {
      return await work();
    } finally {
      this.leave();
    }
  }
}
