import { zeroDate } from "../../storage/sql.ts";
import type { Heard } from "./heard.ts";
import type { Listener } from "./listener.ts";

/** Somebody who listens, and what is kept back until they have heard what came before. */
export class Listening implements Listener {
  readonly observer: Listener["observer"];
  readonly threads: Listener["threads"];
  readonly account: number;
  readonly address: string;
  readonly token: number | undefined;
  readonly #listener: Listener;
  #waiting: { heard: readonly Heard[]; last: number }[] | undefined = [];
  /** Who could not be asked is asked again before anything is said. */
  #until = zeroDate;
  #isOver = false;

  /** `threads` are those of the listener that it may look at. */
  constructor(listener: Listener, threads: Listener["threads"]) {
    this.#listener = listener;
    this.observer = listener.observer;
    this.threads = threads;
    this.account = listener.account;
    this.address = listener.address;
    this.token = listener.token;
  }

  get rooms(): readonly number[] {
    return this.#listener.rooms ?? [];
  }

  get doer(): string | undefined {
    return this.#listener.doer;
  }

  get hearsAll(): boolean {
    return this.#listener.hearsAll ?? false;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  hear(heard: readonly Heard[], last: number): void {
    if (this.#isOver) return;
    if (this.#waiting) this.#waiting.push({ heard, last });
    else this.#listener.hear(heard, last);
  }

  /** From now on it hears things as they happen; first what has happened meanwhile. */
  begin(before: readonly Heard[], last: number): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    this.hear(before, last);
    for (const { heard, last: later } of waiting) this.hear(heard, later);
  }

  async letInUntil(): Promise<string | undefined> {
    this.#until = zeroDate;
    const until = await this.#listener.letInUntil();
    if (until !== undefined) this.#until = until;
    return until;
  }

  /** Has the date come, at this moment, until which it is let in as far as was known? */
  mustBeAsked(moment: string): boolean {
    return this.#until <= moment;
  }

  /** Ends it without a word to whoever listens. */
  close(): void {
    this.#isOver = true;
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#listener.end();
  }
}
