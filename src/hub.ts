import { join } from "node:path";
import type { Readable } from "node:stream";
import type { LogEvent } from "kysely";
import type { Config } from "./config.ts";
import { Stopping } from "./errors.ts";
import { fetchExcept, isPrivateHost } from "./fetch.ts";
import type { Fetch } from "./fetch.ts";
import { closeLog, openLog } from "./log.ts";
import type { Log } from "./log.ts";
import { directoryBlobs } from "./storage/blobs.ts";
import type { BlobStore, Staged } from "./storage/blobs.ts";
import { migrate, openDatabases } from "./storage/database.ts";
import type { Databases } from "./storage/database.ts";
import type { Database, Engine } from "./storage/engine.ts";
import { sqlDate } from "./storage/sql.ts";
import { makeKeys } from "./keys.ts";
import type { KeyPairs } from "./keys.ts";
import { Memory } from "./memory.ts";
import { Threads } from "./threads.ts";

export { databaseState } from "./storage/state.ts";
export type { Staged };

/** Everything that lives as long as the hub runs. It is the first argument of every domain function. */
export type Hub = {
  config: Config;
  /** The database, or the transaction that the work belongs to. */
  db: Database;
  /** The database for background work; see `inBackground`. */
  background: Databases["background"];
  engine: Engine;
  blobs: BlobStore;
  log: Log;
  /** The current time; tests replace it. */
  clock: () => Date;
  /** Makes the keys of a new channel; tests replace it, because good keys take long. */
  makeKeys: () => Promise<KeyPairs>;
  /** Asks other servers, never those of private networks; tests replace it. */
  fetch: Fetch;
  /** Values that are costly to make again, each under the name of its owner; empty after a restart. */
  memory: Memory;
  /** Heavy computing, away from the event loop. */
  threads: Threads;
  /** Tells the job runner that work has been committed. */
  wake: () => void;
  /** Set inside a transaction: what to do once it is committed. */
  afterCommit: ((work: () => void) => void) | undefined;
  /** Set inside a transaction: what was done before it, because it must not wait for that. */
  done: Map<string, unknown> | undefined;
  /** Set for a request that must not come twice: what each of its transactions does besides. */
  beforehand: ((hub: Hub) => Promise<void>) | undefined;
  close: () => Promise<void>;
};

export type Overrides = Partial<Pick<Hub, "clock" | "makeKeys" | "log" | "blobs" | "fetch" | "threads">> & {
  onQuery?: (event: LogEvent) => void;
};

/** Opens database, blobs and log, brings the tables up to date, and answers the hub. Close it at the end. */
export async function openHub(config: Config, overrides: Overrides = {}): Promise<Hub> {
  const log = overrides.log ?? (await openLog(config.log));
  const { db, background } = openDatabases(config.database, overrides.onQuery);
  const threads = overrides.threads ?? new Threads();
  const steps = await migrate(db, config.database.engine).catch(async (error: unknown) => {
    await db.destroy();
    throw error;
  });
  if (steps.length > 0) log.info("Tables brought up to date: {steps}", { steps });
  return {
    config,
    db,
    background,
    engine: config.database.engine,
    blobs: overrides.blobs ?? directoryBlobs(join(config.dataDir, "blobs")),
    log,
    clock: overrides.clock ?? (() => new Date()),
    makeKeys: overrides.makeKeys ?? makeKeys,
    fetch: overrides.fetch ?? fetchExcept(isPrivateHost),
    memory: new Memory(),
    threads,
    wake: () => undefined,
    afterCommit: undefined,
    done: undefined,
    beforehand: undefined,
    async close() {
      if (!overrides.threads) await threads.close();
      await db.destroy();
      if (!overrides.log) await closeLog();
    },
  };
}

/**
 * Runs work in one transaction: all of it is on disk when this returns, or nothing happened.
 * Inside a transaction it joins that one. No network, image work or file copying inside. The work may run several times
 * before it is kept (doneFirst), so it changes nothing but the database.
 */
export async function inTransaction<T>(hub: Hub, work: (hub: Hub) => Promise<T>): Promise<T> {
  if (hub.afterCommit) return work(hub);
  const done = new Map<string, unknown>();
  for (;;) {
    try {
      return await transaction({ ...hub, done }, work);
    } catch (error) {
      if (!(error instanceof DoFirst)) throw error;
      done.set(error.key, await error.work());
    }
  }
}

/** Leaves a transaction for work that it must not wait for. */
class DoFirst extends Error {
  readonly key: string;
  readonly work: () => Promise<unknown>;

  constructor(key: string, work: () => Promise<unknown>) {
    super("A transaction waits for something");
    this.key = key;
    this.work = work;
  }
}

/** A transaction that wants something else each time would never end. */
const mostRounds = 8;

/**
 * Does work that needs no database and may take long, and answers its result. Everybody who writes waits for a transaction,
 * so one in which this is called is undone, the work is done, and the transaction runs again, with the result at hand. `key`
 * tells the work from others in the same transaction.
 */
export async function doneFirst<T>(hub: Hub, key: string, work: () => Promise<T>): Promise<T> {
  if (!hub.done || hub.done.size >= mostRounds) return work();
  if (!hub.done.has(key)) throw new DoFirst(key, work);
  return hub.done.get(key) as T;
}

async function transaction<T>(hub: Hub, work: (hub: Hub) => Promise<T>): Promise<T> {
  const effects: (() => void)[] = [];
  const result = await hub.db.transaction().execute(async (db) => {
    const inside: Hub = { ...hub, db, afterCommit: (effect) => effects.push(effect) };
    return hub.beforehand ? both(hub.beforehand(inside), Promise.try(work, inside)) : work(inside);
  });
  for (const effect of effects) effect();
  return result;
}

/** Two things of one transaction that need not wait for each other; it ends when both have, and fails if one of them does. */
async function both<T>(first: Promise<void>, second: Promise<T>): Promise<T> {
  await Promise.allSettled([first, second]);
  await first;
  return second;
}

/**
 * The hub for work that nobody waits for: requests go first. Once the signal says so it begins no statement, transaction
 * or request to another server any more; these throw `Stopping`, as do blobs that are being read. What else is under way
 * comes to its end.
 */
export function inBackground(hub: Hub, signal: AbortSignal): Hub {
  const check = (): void => {
    if (signal.aborted) throw new Stopping();
  };
  const fetch: Fetch = (url, options = {}) => {
    const signals = options.signal ? [options.signal, signal] : [signal];
    return hub.fetch(url, { ...options, signal: AbortSignal.any(signals) });
  };
  const blobs: BlobStore = {
    ...hub.blobs,
    async read(...blob) {
      check();
      return endedBy(signal, await hub.blobs.read(...blob));
    },
  };
  return { ...hub, db: hub.background(check), blobs, fetch };
}

/** The same bytes; whoever reads them meets `Stopping` where the signal came. */
function endedBy(signal: AbortSignal, bytes: Readable): Readable {
  const end = (): void => void bytes.destroy(new Stopping());
  signal.addEventListener("abort", end, { once: true });
  bytes.once("close", () => signal.removeEventListener("abort", end));
  // It may come before anybody has begun to read.
  bytes.on("error", () => undefined);
  return bytes;
}

/** Does something after the transaction has been committed, or at once when there is none. */
export function afterCommit(hub: Hub, effect: () => void): void {
  if (hub.afterCommit) hub.afterCommit(effect);
  else effect();
}

/** The current time in the stored form. */
export function now(hub: Hub): string {
  return sqlDate(hub.clock());
}
