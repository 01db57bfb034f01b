import { oncePerHub } from "../caches.ts";
import type { HubOfCaches } from "../caches.ts";

/** Who says something now and then so that nobody takes a connection for dead. */
type Beating = { beat(): string; write(text: string): void };

/** In so many parts of the time between two beats somebody's turn comes: not all at once, and with one timer. */
const parts = 10;

/** Says for all open streams when it is their turn; with none it rests. */
export class BeatRing {
  readonly #every: number;
  readonly #turns: Set<Beating>[] = Array.from({ length: parts }, () => new Set<Beating>());
  readonly #turnOf = new WeakMap<Beating, Set<Beating>>();
  #size = 0;
  #at = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `every` is the time (milliseconds) between two beats of the same stream. */
  constructor(every: number) {
    this.#every = every;
  }

  /** From now on it beats, the first time a whole round from now at the latest. */
  add(one: Beating): void {
    const turn = this.#turns[this.#at]!;
    turn.add(one);
    this.#turnOf.set(one, turn);
    this.#size++;
    this.#timer ??= setInterval(() => this.#turn(), this.#every / parts).unref();
  }

  delete(one: Beating): void {
    if (!this.#turnOf.get(one)?.delete(one)) return;
    if (--this.#size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #turn(): void {
    this.#at = (this.#at + 1) % parts;
    for (const one of this.#turns[this.#at]!) one.write(one.beat());
  }
}

const ringsOf = oncePerHub(() => new Map<number, BeatRing>());

/** The ring of those streams of this process that beat that often. */
export function beatRing(hub: HubOfCaches, every: number): BeatRing {
  const rings = ringsOf(hub);
  const ring = rings.get(every) ?? new BeatRing(every);
  rings.set(every, ring);
  return ring;
}
