import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";

/** A silence is looked for so many times while it lasts: in what is shorter than all of them this process may have been busy itself. */
const looks = 4;
/** After so many silences of its own, while the server answers others, a connection leads nowhere. */
const silencesOfOne = 2;

/** What is waited for: an answer on this connection, or a connection. */
type Waiting = { client: pg.PoolClient | undefined; looks: number };

/** Is that process of the server at work? */
type IsAtWork = (process: number) => boolean;

/** Asks the server, until it has answered or `signal` says that nobody waits any more. */
type Ask = (signal: AbortSignal) => Promise<IsAtWork>;

/**
 * Notices that a server, or one connection to it, has fallen silent without closing, as a statement that takes long cannot
 * be told from one that nobody works on: after `seconds` without an answer the server is asked on a connection of its own. If that
 * one gets none either, all are cut off, and so is whoever wants one until the server has answered.
 */
export class Silence {
  readonly #waiting = new Set<Waiting>();
  readonly #milliseconds: number;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #ask: Ask;
  readonly #cut: () => void;
  #isAsking = false;
  #isSilent = false;

  /** `cut` cuts all connections off. With 0 seconds nobody is asked. */
  constructor(seconds: number, ask: Ask, cut: () => void) {
    this.#milliseconds = seconds * 1000;
    this.#ask = ask;
    this.#cut = cut;
    if (seconds > 0) this.#timer = setInterval(() => this.#look(), this.#milliseconds / looks).unref();
  }

  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Something is waited for, until what this answers is called. */
  waitFor(client?: pg.PoolClient): () => void {
    const waiting: Waiting = { client, looks: 0 };
    this.#waiting.add(waiting);
    return () => void this.#waiting.delete(waiting);
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    let isDue = this.#isSilent;
    for (const waiting of this.#waiting) {
      waiting.looks++;
      isDue ||= waiting.looks % looks === 0;
    }
    if (isDue && !this.#isAsking) void this.#hear();
  }

  async #hear(): Promise<void> {
    this.#isAsking = true;
    const over = new AbortController();
    const isAtWork = await Promise.race([this.#ask(over.signal).catch(() => undefined), this.#patience(over.signal)]);
    over.abort();
    this.#isSilent = isAtWork === undefined;
    if (isAtWork) this.#cutIdle(isAtWork);
    else this.#cut();
    this.#isAsking = false;
  }

  /** Its parts are no shorter while this process is busy with something else and reads no answer. */
  async #patience(signal: AbortSignal): Promise<undefined> {
    for (let look = 0; look < looks && !signal.aborted; look++)
      await sleep(this.#milliseconds / looks, undefined, { ref: false });
  }

  /** Connections on which an answer is waited for while the server says that nothing is to be done there. */
  #cutIdle(isAtWork: IsAtWork): void {
    for (const { client, looks: seen } of this.#waiting)
      if (client && seen > silencesOfOne * looks && !isAtWork(processOf(client))) cutOff(client.connection.stream);
  }
}

/** Ends a connection at once, and whatever is under way on it. */
export function cutOff(stream: { destroy(error: Error): unknown }): void {
  stream.destroy(new Error("the server has fallen silent"));
}

function processOf(client: pg.PoolClient): number {
  return (client as pg.PoolClient & { processID: number }).processID;
}
