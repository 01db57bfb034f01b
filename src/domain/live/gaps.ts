import type { Told } from "./log.ts";

/** So many milliseconds a transaction may take between its number and its end. */
const longest = 30_000;
/** Of more numbers at once nobody waits for each. */
const most = 200;

/**
 * Numbers that have been passed over: on PostgreSQL a transaction may end before another one that has a smaller number. They are
 * asked for again for a while; those of transactions that were undone never come.
 */
export class Gaps {
  readonly #since = new Map<number, number>();

  /** The numbers to ask for again. */
  open(moment = performance.now()): number[] {
    for (const [id, since] of this.#since) if (moment - since > longest) this.#since.delete(id);
    return [...this.#since.keys()];
  }

  /** Takes notice of what has come after `last`, and of what has come late. */
  note(told: readonly Told[], last: number, moment = performance.now()): void {
    let expected = last + 1;
    for (const { id } of told) {
      this.#since.delete(id);
      for (let missing = Math.max(expected, id - most); missing < id; missing++) this.#since.set(missing, moment);
      expected = Math.max(expected, id + 1);
    }
  }
}
