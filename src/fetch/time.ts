/** The time that a request has: for all of it, and for the step that it is at. Whoever asks may end it before. */
export class Time {
  readonly #asked: AbortSignal | undefined;
  readonly #whole: NodeJS.Timeout | undefined;
  #step: NodeJS.Timeout | undefined;
  #over: Error | undefined;
  #breakOff: ((reason: Error) => void) | undefined;

  constructor(seconds: number | undefined, asked: AbortSignal | undefined) {
    this.#asked = asked;
    if (seconds !== undefined) this.#whole = this.#timer(seconds, "The answer takes too long");
    if (asked?.aborted) this.#stop();
    else asked?.addEventListener("abort", this.#stop);
  }

  /** The next step has so long, and is broken off like this when time is over: at once, where it is. */
  during(seconds: number, otherwise: string, breakOff: (reason: Error) => void): void {
    this.within(seconds, otherwise);
    this.goesOn(breakOff);
  }

  /** The step that has begun goes on with something that is broken off like this. */
  goesOn(breakOff: (reason: Error) => void): void {
    this.#breakOff = breakOff;
    if (this.#over) breakOff(this.#over);
  }

  /** What is under way has so long from now on. */
  within(seconds: number, otherwise: string): void {
    clearTimeout(this.#step);
    this.#step = this.#timer(seconds, otherwise);
  }

  /** The answer has begun: from now on only all of the time ends it. */
  answered(): void {
    clearTimeout(this.#step);
  }

  /** Nothing is under way any more. */
  end(): void {
    clearTimeout(this.#step);
    clearTimeout(this.#whole);
    this.#asked?.removeEventListener("abort", this.#stop);
  }

  readonly #stop = (): void => this.#spend(this.#asked!.reason as Error);

  #timer(seconds: number, otherwise: string): NodeJS.Timeout {
    return setTimeout(() => this.#spend(new Error(otherwise)), seconds * 1000);
  }

  #spend(reason: Error): void {
    if (this.#over) return;
    this.#over = reason;
    this.#breakOff?.(reason);
  }
}
