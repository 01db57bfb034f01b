import { setImmediate } from "node:timers/promises";
import { oncePerHub } from "../../../caches.ts";

/** So many readers are told something at once: what is loaded for them must leave the database to others. */
const together = 4;
/** After so many milliseconds others get a turn of the event loop; what was said goes to the connections then. */
const budget = 4;

/** Readers of streams are told what is new one after the other, first come first served, however many there are. */
class ReaderTurns {
  #waiting: (() => Promise<void>)[] = [];
  #underWay = 0;
  #began = 0;
  #pause: Promise<void> | undefined;

  /** Tells one of them when it is their turn. */
  take(tell: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => tell().then(resolve, reject));
      if (this.#underWay < together) void this.#goOn();
    });
  }

  async #goOn(): Promise<void> {
    this.#underWay++;
    // Who comes in the same turn of the loop waits together.
    await this.#othersTurn();
    while (this.#waiting.length > 0)
      if (this.#pause || performance.now() - this.#began > budget) await this.#othersTurn();
      else await this.#waiting.shift()!();
    this.#underWay--;
  }

  #othersTurn(): Promise<void> {
    return (this.#pause ??= setImmediate().then(() => {
      this.#began = performance.now();
      this.#pause = undefined;
    }));
  }
}

/** The turns of this process. */
export const readerTurnsOf = oncePerHub(() => new ReaderTurns());
