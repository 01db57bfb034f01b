import { Collision, OutOfOrder, StatementEnded } from "./errors.ts";

/** Milliseconds between two looks whether something is over; up to as many are added, so that processes do not look together. */
const pause = 1000;

/** Is it the hub that is out of order, and not what was tried? Whatever is tried next would meet the same. */
export function isHubsFault(error: unknown): boolean {
  return error instanceof OutOfOrder && !(error instanceof Collision) && !(error instanceof StatementEnded);
}

/** Within so many milliseconds it shows that a server says nothing. */
const shows = 12_000;

/** Milliseconds after which what has failed for such a reason is tried again: soon, but what took as much work as that to fail later. */
export function waitForHub(took = 0): number {
  return took > shows ? 3 * took : 3000 + 4000 * Math.random();
}

/** Of a kind of work that has met a hub out of order little is tried, now and then, until something of it has ended otherwise. */
export class Probing<Kind extends string> {
  /** From when on (milliseconds) something of it is tried. */
  readonly #next = new Map<Kind, number>();

  /** The kinds of which nothing is tried now. */
  held(): Kind[] {
    const moment = performance.now();
    return [...this.#next].flatMap(([kind, next]) => (next > moment ? [kind] : []));
  }

  isProbed(kind: Kind): boolean {
    return this.#next.has(kind);
  }

  begun(kind: Kind): void {
    if (this.#next.has(kind)) this.#next.set(kind, Infinity);
  }

  ended(kind: Kind, isHubsFault: boolean): void {
    if (isHubsFault) this.#next.set(kind, performance.now() + pause * (1 + Math.random()));
    else this.#next.delete(kind);
  }
}
