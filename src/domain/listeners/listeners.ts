import { oncePerHub } from "../../caches.ts";
import { Stopping } from "../../errors.ts";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { Following } from "../live/follow.ts";
import type { Told } from "../live/log.ts";
import { seenThreadsOfOthers } from "../items/timelines/live-copies.ts";
import type { Listener } from "./listener.ts";
import { missedBy } from "./missed.ts";
import { resolve } from "./resolve.ts";
import { Listening } from "./listening.ts";

/** Of one account, of one token, and from one network address, no more may listen in a process: the oldest ends. */
const mostListeners = { account: 30, token: 10, address: 300 } as const;
/** How often (milliseconds) all are asked whether they are still let in, if nobody has said that it is not. */
const letInFor = 15 * 60_000;

/** All who listen in this process. */
class Listeners {
  readonly #open = new Set<Listening>();
  #following: Promise<Following> | undefined;
  #openings = 0;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  get size(): number {
    return this.#open.size;
  }

  async open(hub: Hub, listener: Listener, after?: number | Date): Promise<() => void> {
    if (this.#isOver) throw new Stopping();
    this.#openings++;
    try {
      const following = await this.#follow(hub);
      const threads = await seenThreadsOfOthers(hub, listener.observer, listener.threads);
      if (this.#isOver) throw new Stopping();
      const listening = new Listening(listener, threads);
      this.#makeRoom(listening);
      this.#open.add(listening);
      this.#timer ??= setInterval(() => void this.#endWhere(() => true), letInFor).unref();
      await this.#begin(hub, listening, after, following.last);
      return () => this.#close(listening);
    } finally {
      this.#openings--;
      this.#rest();
    }
  }

  /** What comes from now on waits for what came before. */
  async #begin(hub: Hub, listening: Listening, after: number | Date | undefined, last: number): Promise<void> {
    try {
      // What has let it in may have ended before anybody knew that it listens.
      if ((await listening.letInUntil()) === undefined) return this.#endOne(listening);
      listening.begin(after === undefined ? [] : await missedBy(hub, listening, { after, last }), last);
    } catch (error) {
      this.#open.delete(listening);
      throw error;
    }
  }

  async #follow(hub: Hub): Promise<Following> {
    this.#following ??= Following.begin(hub, (told) => this.#pass(hub, told));
    try {
      return await this.#following;
    } catch (error) {
      // The next one tries again.
      this.#following = undefined;
      throw error;
    }
  }

  /** Ends all, and opens none any more. */
  async end(): Promise<void> {
    this.#isOver = true;
    for (const listening of this.#open) listening.end();
    this.#open.clear();
    await this.#stop();
  }

  #close(listening: Listening): void {
    listening.close();
    this.#open.delete(listening);
    this.#rest();
  }

  /** While nobody listens nothing is read. */
  #rest(): void {
    if (this.#open.size === 0 && this.#openings === 0) void this.#stop();
  }

  async #stop(): Promise<void> {
    clearInterval(this.#timer);
    const following = this.#following;
    this.#timer = this.#following = undefined;
    await following?.then(
      (begun) => begun.end(),
      () => undefined,
    );
  }

  /** The oldest end where there are too many. */
  #makeRoom({ account, token, address }: Listening): void {
    const endBut = (most: number, isAlike: (one: Listening) => boolean): void => {
      const alike = [...this.#open].filter(isAlike);
      for (const listening of alike.slice(0, Math.max(0, alike.length + 1 - most))) this.#endOne(listening);
    };
    endBut(mostListeners.account, (one) => one.account === account);
    if (token !== undefined) endBut(mostListeners.token, (one) => one.token === token);
    if (address !== "") endBut(mostListeners.address, (one) => one.address === address);
  }

  #endOne(listening: Listening): void {
    this.#open.delete(listening);
    listening.end();
  }

  async #pass(hub: Hub, told: readonly Told[]): Promise<void> {
    // Those who listen by now: who comes later has heard of this before it begins.
    const here = [...this.#open];
    const events = told.flatMap((one) => one.events);
    const last = told.at(-1)!.id;
    const accounts = new Set(events.flatMap((event) => (event.what === "access" ? [event.account] : [])));
    const moment = now(hub);
    await this.#endWhere((one) => accounts.has(one.account) || one.mustBeAsked(moment));
    const heard = await resolve(hub, events, here);
    for (const listening of here) listening.hear(heard.get(listening) ?? [], last);
  }

  /** Ends those of these that nothing lets in any more. */
  async #endWhere(some: (listening: Listening) => boolean): Promise<void> {
    for (const listening of [...this.#open].filter(some)) {
      const isLetIn = await listening.letInUntil().then(
        (until) => until !== undefined,
        () => true,
      );
      if (!isLetIn) this.#endOne(listening);
    }
  }
}

const listenersOf = oncePerHub(() => new Listeners());

/**
 * Whoever listens hears what happens from now on, and what has happened after the number `after`, or since that moment.
 * Answers what ends that. Throws unavailable when the hub stops.
 */
export function listen(hub: Hub, listener: Listener, after?: number | Date): Promise<() => void> {
  return listenersOf(hub).open(hub, listener, after);
}

/** How many listen in this process. */
export function countListeners(hub: Hub): number {
  return listenersOf(hub).size;
}

/** Nobody listens in this process any more: the hub stops. */
export function endListening(hub: Hub): Promise<void> {
  return listenersOf(hub).end();
}
