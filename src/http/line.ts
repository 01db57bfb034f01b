import { Overloaded } from "../errors.ts";

/** How often (milliseconds) those who wait are looked after when nobody comes or leaves. */
const lookMilliseconds = 20;
/** Whoever takes so long (milliseconds) mostly waits for somebody else, such as one who sends slowly, and takes no place from others any more. */
const longest = 5000;

type Leave = () => void;

type Waiting = { since: number; begin: (leave: Leave) => void; refuse: (error: Error) => void };

/**
 * A line of those who want to begin, in the order of their arrival. Nobody waits for longer than `patience` (milliseconds). Once somebody has
 * waited for so long in vain, whoever comes is sent away at once, until the first one in the line has waited for half of it at most.
 */
export class Line {
  readonly #places: number;
  readonly #patience: number;
  readonly #hasTime: () => boolean;
  readonly #underWay = new Set<{ since: number }>();
  readonly #waiting: Waiting[] = [];
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  /** `hasTime` says whether more may be under way than there are places for. */
  constructor(places: number, patience: number, hasTime: () => boolean) {
    this.#places = places;
    this.#patience = patience;
    this.#hasTime = hasTime;
  }

  /** Resolves when it is one's turn, which lasts until the answered function is called. Throws Overloaded. */
  enter(): Promise<Leave> {
    const now = this.#goOn();
    if (this.#isClosed) return Promise.reject(new Overloaded("others wait for too long"));
    if (this.#waiting.length === 0 && this.#hasRoom(now)) return Promise.resolve(this.#begin(now));
    this.#timer ??= setInterval(() => this.#goOn(), lookMilliseconds);
    return new Promise((begin, refuse) => this.#waiting.push({ since: now, begin, refuse }));
  }

  /** Begins as many as may be, and sends away those who have waited for too long; answers the moment at which that is so. */
  #goOn(): number {
    const now = performance.now();
    for (let [first] = this.#waiting; first; [first] = this.#waiting) {
      const waited = now - first.since;
      if (waited < this.#patience / 2) this.#isClosed = false;
      if (waited > this.#patience) {
        this.#isClosed = true;
        first.refuse(new Overloaded("it has waited for too long"));
      } else if (this.#hasRoom(now)) first.begin(this.#begin(now));
      else return now;
      this.#waiting.shift();
    }
    this.#isClosed = false;
    clearInterval(this.#timer);
    this.#timer = undefined;
    return now;
  }

  #begin(since: number): Leave {
    const one = { since };
    this.#underWay.add(one);
    return () => {
      this.#underWay.delete(one);
      this.#goOn();
    };
  }

  #hasRoom(now: number): boolean {
    for (const one of this.#underWay) {
      if (now - one.since < longest) break;
      this.#underWay.delete(one);
    }
    return this.#underWay.size < this.#places || this.#hasTime();
  }
}
