/** On whose behalf something happens: of somebody who waits for an answer, or of a job. */
export type Side = "request" | "background";

/** After so many milliseconds without a turn, background work goes before requests once. */
const patience = 50;

/** A queue in which requests go first and background work is served once in a while: neither waits for ever. */
export class FairQueue<T> {
  readonly #requests: T[] = [];
  readonly #background: T[] = [];
  #servedBackground = 0;

  push(one: T, side: Side): void {
    (side === "request" ? this.#requests : this.#background).push(one);
  }

  /** Whose turn is next; undefined when nobody waits. */
  get next(): Side | undefined {
    if (this.#background.length === 0) return this.#requests.length > 0 ? "request" : undefined;
    if (this.#requests.length === 0) return "background";
    return performance.now() - this.#servedBackground > patience ? "background" : "request";
  }

  shift(): T | undefined {
    if (this.next !== "background") return this.#requests.shift();
    this.#servedBackground = performance.now();
    return this.#background.shift();
  }
}
