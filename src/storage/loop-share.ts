import type { Arrivals, Visitor } from "./arrivals.ts";
import { FairQueue } from "./fair-queue.ts";
import type { Side } from "./fair-queue.ts";

/** How many milliseconds of one turn of the event loop statements may take. */
const budget = 5;
/** How many of them whoever changes something may take while others only want to read. */
const budgetOfWriter = 2;

/** So many connections may come in before those who are inside go on. */
const mostAtOnce = 100;

type Waiting = { goOn: () => void; visitor: Visitor };

/**
 * Statements that answer at once never let the event loop turn: awaiting them leads from one to the next, and everybody
 * else waits until all is done. So whoever is about to execute one asks here whether there is time left in this turn of
 * the loop, and otherwise waits for another. Whoever has the writing handle goes on first, since others wait for it.
 */
export class LoopShare {
  readonly #arrivals: Arrivals;
  readonly #waiting = new FairQueue<Waiting>();
  #writer: Waiting[] = [];
  #isCounting = false;
  #cameIn = 0;
  #began = 0;

  constructor(arrivals: Arrivals) {
    this.#arrivals = arrivals;
  }

  /** How many wait. */
  get length(): number {
    return this.#waiting.length + this.#writer.length;
  }

  /** How many of them are requests. */
  get requests(): number {
    return this.#waiting.requests;
  }

  /** Answers undefined while there is time, else what to wait for. */
  pause(side: Side | "writer"): Promise<void> | undefined {
    if (!this.#isCounting) {
      this.#count();
      return undefined;
    }
    const share = side === "writer" && this.#waiting.next === "request" ? budgetOfWriter : budget;
    if (performance.now() - this.#began < share) return undefined;
    return this.#wait(side);
  }

  /** To be waited for by many who go on from the same moment: they do so one after the other, as there is time. */
  line(side: Side): Promise<void> {
    if (!this.#isCounting) this.#count();
    return this.#wait(side);
  }

  #wait(side: Side | "writer"): Promise<void> {
    const { visitor } = this.#arrivals;
    return new Promise((goOn) => {
      if (side === "writer") this.#writer.push({ goOn, visitor });
      else this.#waiting.push({ goOn, visitor }, side, visitor.place);
    });
  }

  #count(): void {
    this.#isCounting = true;
    this.#began = performance.now();
    setImmediate(() => this.#turn());
  }

  /** A turn of the loop lets in one connection. When many come at once, the last would wait for as many turns. */
  #turn(): void {
    if (this.#arrivals.takeSomebodyAtTheDoor() && this.#cameIn++ < mostAtOnce) {
      setImmediate(() => this.#turn());
      return;
    }
    this.#cameIn = 0;
    this.#began = performance.now();
    this.#nextOfWriters(this.#writer.splice(0));
  }

  #nextOfWriters([next, ...others]: Waiting[]): void {
    if (!next) return this.#others();
    this.#resume(next, (milliseconds) => {
      this.#arrivals.took(next.visitor, milliseconds);
      this.#nextOfWriters(others);
    });
  }

  /** They have time of their own, however much the writer has taken. */
  #others(): void {
    this.#began = performance.now();
    this.#nextOfThem();
  }

  #nextOfThem(): void {
    const isOver = performance.now() - this.#began >= budget;
    const side = this.#waiting.next;
    const next = isOver ? undefined : this.#waiting.shift();
    if (next)
      this.#resume(next, (milliseconds) => {
        // Jobs begin where a request has added them, and are not on its account.
        if (side === "background") this.#waiting.took(milliseconds);
        else this.#arrivals.took(next.visitor, milliseconds);
        this.#nextOfThem();
      });
    else if (this.#writer.length > 0 || this.#waiting.next) setImmediate(() => this.#turn());
    else this.#isCounting = false;
  }

  /** Goes on when everything that follows without waiting for anything outside has happened; tells how long that took. */
  #resume({ goOn }: Waiting, then: (milliseconds: number) => void): void {
    const began = performance.now();
    goOn();
    queueMicrotask(() => process.nextTick(() => then(performance.now() - began)));
  }
}
