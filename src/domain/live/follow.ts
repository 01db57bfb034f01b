import type { Hub } from "../../hub.ts";
import { HubError } from "../../errors.ts";
import { Gaps } from "./gaps.ts";
import { lastTold, toldAfter } from "./log.ts";
import type { Told } from "./log.ts";
import { neighbours } from "./neighbours.ts";
import type { Neighbours } from "./neighbours.ts";
import { pulseOf } from "./pulse.ts";

/** What is committed is read at once; within so many milliseconds of that, together with all that follows. */
const together = 30;
const mostAtOnce = 500;

/** What a process hears of all that is told, as long as somebody there listens. */
export class Following {
  readonly #hub: Hub;
  readonly #take: (told: Told[]) => Promise<void>;
  readonly #gaps = new Gaps();
  readonly #quiet: () => void;
  readonly #neighbours: Neighbours;
  #last: number;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;
  #isOver = false;
  #readAt = -together;

  private constructor(hub: Hub, last: number, take: (told: Told[]) => Promise<void>) {
    this.#hub = hub;
    this.#last = last;
    this.#take = take;
    this.#quiet = pulseOf(hub).onBeat(() => this.#soon());
    this.#neighbours = neighbours(hub, () => this.#soon());
  }

  /** Begins with what is told from now on. `take` gets all of it, in order, one call after the other. */
  static async begin(hub: Hub, take: (told: Told[]) => Promise<void>): Promise<Following> {
    return new Following(hub, await lastTold(hub), take);
  }

  /** The number of the last that was taken. */
  get last(): number {
    return this.#last;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#quiet();
    await this.#neighbours.end();
    await this.#reading;
  }

  #soon(): void {
    if (this.#isOver || this.#timer || this.#reading) return void (this.#isLate = true);
    const wait = Math.max(0, this.#readAt + together - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#isLate = false;
      this.#readAt = performance.now();
      this.#reading = this.#read().finally(() => {
        this.#reading = undefined;
        if (this.#isLate) this.#soon();
      });
    }, wait);
  }

  /** Who begins to listen meanwhile counts them as told; where they could not be taken they are read again. */
  async #pass(told: Told[]): Promise<void> {
    const before = this.#last;
    this.#last = Math.max(before, told.at(-1)!.id);
    try {
      await this.#take(told);
    } catch (error) {
      this.#last = before;
      throw error;
    }
    this.#gaps.note(told, before);
  }

  /** Somebody has called while it was read. */
  #isLate = false;

  async #read(): Promise<void> {
    try {
      let told: Told[];
      do {
        told = await toldAfter(this.#hub, this.#last, mostAtOnce, this.#gaps.open());
        if (told.length > 0) await this.#pass(told);
      } while (told.length >= mostAtOnce && !this.#isOver);
    } catch (error) {
      // Nothing is lost: it goes on where it was, at the next call.
      if (!(error instanceof HubError && error.kind === "unavailable"))
        this.#hub.log.error("Live events failed: {error}", { error });
    }
  }
}
