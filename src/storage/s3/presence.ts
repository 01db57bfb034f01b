import { setTimeout as sleep } from "node:timers/promises";
import { BlobsAway } from "../../errors.ts";

/** After a server has not answered, it is asked again no sooner than that (milliseconds). */
const pause = 1000;
/** Whoever comes after that waits so long (milliseconds) for its answer: one that is well again has it by then. */
const moment = 250;
/** Whoever comes so long after it was asked last (milliseconds) waits for what it says now. */
const holdsFor = 10_000;

/**
 * Whether a server is there for reading, or for writing: while it is not, nobody waits for it one after the other. Who uses it says what became of that; it is
 * asked again by itself as long as somebody wants it.
 */
export class Presence {
  /** Asks the server for something small of the kind that is wanted of it; throws where it does not answer. */
  readonly #ask: () => Promise<void>;
  #away: { cause: Error; at: number } | undefined;
  #asking: Promise<void> | undefined;

  constructor(ask: () => Promise<void>) {
    this.#ask = ask;
  }

  /** Lets those pass who may use it. Throws BlobsAway, soon where that is known. */
  async pass(): Promise<void> {
    if (!this.#away) return;
    const age = performance.now() - this.#away.at;
    if (age > holdsFor) await this.#look();
    else if (age > pause) await Promise.race([this.#look(), sleep(moment)]);
    if (this.#away) throw new BlobsAway(this.#away.cause);
  }

  /** Somebody hears nothing of it. Throws why it is not there, where it does not answer this either. */
  async confirm(): Promise<void> {
    if (!this.#away) await this.#look();
    if (this.#away) throw this.#away.cause;
  }

  /** Somebody has not been served, for this reason; it holds until the server answers, which it is asked to at once. */
  doubt(cause: Error): void {
    this.#away ??= { cause, at: performance.now() };
    void this.#look();
  }

  /** Those who want to know at the same time ask together. */
  #look(): Promise<void> {
    const heard = (): void => (this.#away = undefined);
    const silent = (cause: Error): void => void (this.#away = { cause, at: performance.now() });
    return (this.#asking ??= this.#ask()
      .then(heard, silent)
      .finally(() => (this.#asking = undefined)));
  }
}
