import { againAfterCollisions } from "./storage/collisions.ts";

/**
 * What belongs to one transaction and to nothing else. It lives through all runs of it: work that a transaction must not wait
 * for is done between two of them.
 */
export class UnitOfWork {
  #effects: (() => void)[] = [];
  #undone: (() => void)[] = [];
  /** What this run has gathered so far, by what it is. */
  readonly #gathered = new Map<unknown, { value: unknown; write: () => Promise<void> }>();
  /** Work that the transaction was left for. */
  readonly #wanted = new Map<string, () => Promise<unknown>>();
  readonly #results = new Map<string, unknown>();
  readonly #choices = new Map<string, string>();

  /** Does something once all is committed. */
  afterCommit(effect: () => void): void {
    this.#effects.push(effect);
  }

  /** Does something when this run is undone because another follows. */
  beforeAgain(effect: () => void): void {
    this.#undone.push(effect);
  }

  /** Adds to what the last statements of this run write down. */
  gather<T>(key: unknown, add: (known: T | undefined) => T, write: (value: T) => Promise<void>): void {
    const value = add(this.#gathered.get(key)?.value as T | undefined);
    this.#gathered.set(key, { value, write: () => write(value) });
  }

  /** Writes down what was gathered. */
  async finish(): Promise<void> {
    for (const { write } of this.#gathered.values()) await write();
  }

  /**
   * Runs the transaction until it has what it wants, and then does what was to be done after it. One that collides with
   * another begins anew, a few times.
   */
  async run<T>(transaction: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await againAfterCollisions(() => this.#runOnce(transaction));
      } catch (error) {
        if (!(error instanceof DoFirst)) throw error;
        await this.#doWanted();
      }
    }
  }

  async #runOnce<T>(transaction: () => Promise<T>): Promise<T> {
    for (const effect of this.#undone) effect();
    [this.#effects, this.#undone] = [[], []];
    this.#gathered.clear();
    const result = await transaction();
    for (const effect of this.#effects) effect();
    return result;
  }

  /** The result of work that was done before this run; without one, the run ends for it. */
  async doneFirst<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.#results.has(key)) return this.#results.get(key) as T;
    if (this.#results.size >= mostResults) return work();
    this.#wanted.set(key, work);
    throw new DoFirst();
  }

  /** The same choice in every run. */
  chosenOnce(key: string, choose: () => string): string {
    const choice = this.#choices.get(key) ?? choose();
    this.#choices.set(key, choice);
    return choice;
  }

  async #doWanted(): Promise<void> {
    const all = [...this.#wanted].map(async ([key, work]) => void this.#results.set(key, await work()));
    this.#wanted.clear();
    await Promise.all(all);
  }
}

/** A transaction that wants something else each time would never end. */
const mostResults = 8;

/** Leaves a transaction for work that it must not wait for. */
class DoFirst extends Error {
  constructor() {
    super("A transaction waits for something");
  }
}
