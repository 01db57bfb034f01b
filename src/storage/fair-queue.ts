/** On whose behalf something happens: of somebody who waits for an answer, or of a job. */
export type Side = "request" | "background";

/** While requests wait, background work gets one part of the time in so many and one, and rests at least so many milliseconds. */
const parts = 9;
const shortestRest = 20;

/**
 * A queue in which requests go first, in the order of their places, and background work gets a share of the time: neither
 * waits for ever.
 */
export class FairQueue<T> {
  readonly #requests: { one: T; place: number }[] = [];
  readonly #background: T[] = [];
  #restsUntil = 0;

  push(one: T, side: Side, place: number): void {
    if (side === "background") this.#background.push(one);
    else this.#insert({ one, place });
  }

  #insert(request: { one: T; place: number }): void {
    const last = this.#requests.at(-1);
    if (!last || last.place <= request.place) this.#requests.push(request);
    else
      this.#requests.splice(
        this.#requests.findIndex(({ place }) => place > request.place),
        0,
        request,
      );
  }

  get length(): number {
    return this.#requests.length + this.#background.length;
  }

  /** How many requests wait. */
  get requests(): number {
    return this.#requests.length;
  }

  /** Whose turn is next; undefined when nobody waits. */
  get next(): Side | undefined {
    if (this.#background.length === 0) return this.#requests.length > 0 ? "request" : undefined;
    if (this.#requests.length === 0) return "background";
    return performance.now() > this.#restsUntil ? "background" : "request";
  }

  shift(): T | undefined {
    return this.next === "background" ? this.#background.shift() : this.#requests.shift()?.one;
  }

  /** Background work has taken so many milliseconds. */
  took(milliseconds: number): void {
    this.#restsUntil = performance.now() + Math.max(shortestRest, parts * milliseconds);
  }
}
