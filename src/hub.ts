import type { Readable } from "node:stream";
import type { LogEvent } from "kysely";
import type { Config } from "./config/config.ts";
import { Counters } from "./counters.ts";
import { Stopping } from "./errors.ts";
import type { Fetch } from "./fetch/fetch.ts";
import { openFetch } from "./fetch/open-fetch.ts";
import type { Extension } from "./extensions/extension.ts";
import { loadExtensions } from "./extensions/load.ts";
import { closeLog, openLog } from "./log.ts";
import type { Log } from "./log.ts";
import { openBlobs } from "./storage/blobs/open.ts";
import type { BlobStore, Staged } from "./storage/blobs/store.ts";
import { migrate, openDatabases } from "./storage/database.ts";
import type { Databases } from "./storage/database.ts";
import type { Database, Engine } from "./storage/engine.ts";
import type { Replica } from "./storage/replica.ts";
import { readMediaKey } from "./storage/media-key.ts";
import { sqlDate } from "./storage/sql.ts";
import { watchStatements } from "./slow-statements.ts";
import { openTraces } from "./traces/open-traces.ts";
import type { Traces } from "./traces/traces.ts";
import { makeKeys } from "./keys.ts";
import type { KeyPairs } from "./keys.ts";
import { passwordCost } from "./password-cost.ts";
import type { PasswordCost } from "./password-cost.ts";
import { Caches } from "./caches.ts";
import { Threads } from "./threads.ts";
import { UnitOfWork } from "./unit-of-work.ts";

export { areTablesReady } from "./storage/database.ts";
export { databaseState } from "./storage/state.ts";
export type { Staged };

/**
 * Everything that lives as long as the hub runs. It is the first argument of every domain function; inside of a transaction,
 * or for a request that adds to its transactions, they get one that knows of that besides.
 */
export type Hub = {
  config: Config;
  /** The database, or the transaction that the work belongs to. */
  db: Database;
  /** The database for background work; see `inBackground`. */
  background: Databases["background"];
  /** Does what one has asked for: who comes first is served first. */
  inOrder: Databases["inOrder"];
  cameIn: Databases["cameIn"];
  nameWork: Databases["nameWork"];
  named: Databases["named"];
  pool: Databases["pool"];
  /** Where what strangers read may come from; see `mayBeStale`. What is kept because of that is kept apart. */
  replica?: Replica & { caches: Caches };
  engine: Engine;
  blobs: BlobStore;
  log: Log;
  /** What packages of the operator's add. */
  extensions: readonly Extension[];
  /** What this process has done. */
  counters: Counters;
  /** What it does, for a program of the operator's that wants to know. */
  traces?: Traces;
  /** The current time; tests replace it. */
  clock: () => Date;
  /** Makes the keys of a new channel; tests replace it, because good keys take long. */
  makeKeys: () => Promise<KeyPairs>;
  /** What the hash of a new password costs; tests replace it, because a good one takes long. */
  passwordCost: PasswordCost;
  /** Asks other servers, never those of private networks; tests replace it. */
  fetch: Fetch;
  /** Values that are costly to make again, each declared by the module that owns it (caches.ts). */
  caches: Caches;
  /** Signs the addresses at which the hub shows pictures of elsewhere; of the site, the same on all processes. */
  mediaKey: string;
  /** Heavy computing, away from the event loop. */
  threads: Threads;
  /** Tells the job runner that work has been committed. */
  wake: () => void;
  close: () => Promise<void>;
};

export type Overrides = Partial<
  Pick<Hub, "clock" | "makeKeys" | "passwordCost" | "log" | "blobs" | "fetch" | "threads">
> & {
  onQuery?: (event: LogEvent) => void;
};

/** Opens database, blobs and log, brings the tables up to date, and answers the hub. Close it at the end. */
export async function openHub(config: Config, overrides: Overrides = {}): Promise<Hub> {
  const extensions = await loadExtensions(config.extensions);
  const log = overrides.log ?? (await openLog(config.log));
  const counters = new Counters();
  const { onQuery } = overrides;
  const traces = await openTraces(config, log);
  const slow = watchStatements(counters, log, config.slowStatement);
  const watch = traces?.statements(slow) ?? slow;
  const { db, replica, ...databases } = openDatabases(config.database, { watch, ...(onQuery && { onQuery }) });
  const threads = overrides.threads ?? new Threads();
  const clock = overrides.clock ?? (() => new Date());
  const ways = openFetch({ baseUrl: config.baseUrl, allowPrivate: config.allowPrivate, clock });
  const out = overrides.fetch ?? ways.fetch;
  const { steps, mediaKey } = await readyTables(db, config.database.engine);
  const last = steps.at(-1);
  if (last !== undefined)
    log.info("Tables brought up to date: {count} steps, the last {last}", { count: steps.length, last });
  return {
    config,
    db,
    ...databases,
    ...traces?.work(databases),
    ...(replica && { replica: { ...replica, caches: new Caches() } }),
    engine: config.database.engine,
    blobs: overrides.blobs ?? openBlobs(config, { count: counters.ofS3("files") }),
    log,
    extensions,
    counters,
    ...(traces && { traces }),
    clock,
    makeKeys: overrides.makeKeys ?? makeKeys,
    passwordCost: overrides.passwordCost ?? passwordCost,
    fetch: traces?.fetch(out) ?? out,
    caches: new Caches(),
    mediaKey,
    threads,
    wake: () => undefined,
    async close() {
      ways.close();
      if (!overrides.threads) await threads.close();
      await replica?.close();
      await db.destroy();
      await traces?.close();
      if (!overrides.log) await closeLog();
    },
  };
}

/** Brings the tables up to date, and reads what every process of the hub has from them. */
async function readyTables(db: Database, engine: Engine): Promise<{ steps: string[]; mediaKey: string }> {
  try {
    return { steps: await migrate(db, engine), mediaKey: await readMediaKey(db) };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** State of a request or a transaction, which its hub brings along; a hub without any has none. */
type Scope = {
  /** What each transaction of a request does besides. */
  besides?: (hub: Hub) => Promise<void>;
  unit?: UnitOfWork;
  /** What all of this happens for; jobs hand it on. */
  cause?: string;
  /** Since when it was to be done, where that is a while ago. */
  since?: string;
  /** Who does it, and knows what becomes of it. */
  doer?: string;
};

const scope = Symbol("scope");

function scopeOf(hub: Hub): Scope {
  return (hub as Hub & { [scope]?: Scope })[scope] ?? {};
}

function scoped(hub: Hub, more: Scope, db = hub.db): Hub {
  return Object.assign({ ...hub, db }, { [scope]: { ...scopeOf(hub), ...more } });
}

/** The hub for a request in each of whose transactions something else is written as well: both or neither. */
export function writingBesides(hub: Hub, besides: (hub: Hub) => Promise<void>): Hub {
  return scoped(hub, { besides });
}

/** The hub for what one thing causes, directly and by jobs: what these have in common is known by this name. */
export function causedBy(hub: Hub, cause: string): Hub {
  return scoped(hub, { cause });
}

/** What the work is for; empty where nothing is counted by that. */
export function causeOf(hub: Hub): string {
  return scopeOf(hub).cause ?? "";
}

/** The hub for work that was to be done from this moment on: what it does counts as done then, also the jobs that it adds. */
export function dueSince(hub: Hub, moment: string): Hub {
  return scoped(hub, { since: moment });
}

/** The moment at which what is done now counts as done. */
export function doneAt(hub: Hub): string {
  return scopeOf(hub).since ?? now(hub);
}

/** The hub for what somebody does who knows already what it changes: whoever listens by this name is not told of it. */
export function doneBy(hub: Hub, doer: string): Hub {
  return scoped(hub, { doer });
}

/** Who does the work, by a name that listens; undefined where everybody is told of it. */
export function doerOf(hub: Hub): string | undefined {
  return scopeOf(hub).doer;
}

/**
 * Runs work in one transaction: all of it is on disk when this returns, or nothing happened.
 * Inside a transaction it joins that one. No network, image work or file copying inside. The work may run several times
 * before it is kept (doneFirst; another transaction that stood in its way), so it changes nothing but the database.
 */
export async function inTransaction<T>(hub: Hub, work: (hub: Hub) => Promise<T>): Promise<T> {
  const { unit: joined, besides } = scopeOf(hub);
  if (joined) return work(hub);
  const unit = new UnitOfWork();
  return unit.run(() =>
    hub.db.transaction().execute(async (db) => {
      const inside = scoped(hub, { unit }, db);
      const result = await (besides ? both(besides(inside), Promise.try(work, inside)) : work(inside));
      await unit.finish();
      return result;
    }),
  );
}

/**
 * Computes something that needs no database, and answers it. Everybody who writes waits for a transaction, which therefore
 * only reads and writes rows: one in which this is called is undone, the work is done, and the transaction runs again, with
 * the result at hand. What is written often prepares such things before it begins (`ahead`). `key` tells the work from
 * others in the same transaction; what is asked for together is done together.
 */
export async function doneFirst<T>(hub: Hub, key: string, work: () => Promise<T>): Promise<T> {
  const { unit } = scopeOf(hub);
  return unit ? unit.doneFirst(key, work) : work();
}

/**
 * Lets work come to its end before a transaction that asks for its outcome: whatever is wrong with it is said there, in the
 * order in which things are checked.
 */
export async function ahead<T>(work: Promise<T>): Promise<() => Promise<T>> {
  await work.catch(() => undefined);
  return () => work;
}

/** Chooses something at random that a transaction chooses again when it runs again: what is computed first may depend on it. */
export function chosenOnce(hub: Hub, key: string, choose: () => string): string {
  const { unit } = scopeOf(hub);
  return unit ? unit.chosenOnce(key, choose) : choose();
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
    const either = options.signal ? AbortSignal.any([options.signal, signal]) : signal;
    return hub.fetch(url, { ...options, signal: either });
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

/**
 * Reads something that may be a second old: from the replica where there is one that is no older, else from the primary. Whatever goes
 * wrong there, also what is not to be found, is left to the primary, so the work may run twice. What is kept in between for those
 * who read the primary is not known to it, and nothing that it keeps is known to them.
 */
export async function mayBeStale<T>(hub: Hub, work: (hub: Hub) => Promise<T> | T): Promise<T> {
  const { replica, counters } = hub;
  if (!replica) return work(hub);
  if (replica.isFresh())
    try {
      const result = await work({ ...hub, db: replica.db, caches: replica.caches });
      counters.replicaReads.replica++;
      return result;
    } catch {
      // The primary says what is wrong, if anything is.
    }
  counters.replicaReads.primary++;
  return work(hub);
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

/**
 * Gathers something while a transaction runs; its last statement writes all of it down at once. Without a transaction there is one
 * for this. `write` tells what is gathered from other things.
 */
export async function gathered<T>(
  hub: Hub,
  write: (hub: Hub, all: T) => Promise<void>,
  add: (known: T | undefined) => T,
): Promise<void> {
  await inTransaction(hub, (inside) => {
    scopeOf(inside).unit?.gather(write, add, (all: T) => write(inside, all));
    return Promise.resolve();
  });
}

/** Does something after the transaction has been committed, or at once when there is none. */
export function afterCommit(hub: Hub, effect: () => void): void {
  const { unit } = scopeOf(hub);
  if (unit) unit.afterCommit(effect);
  else effect();
}

/** Does something when the transaction is undone and runs again; never without one. */
export function beforeAgain(hub: Hub, effect: () => void): void {
  scopeOf(hub).unit?.beforeAgain(effect);
}

/** The current time in the stored form. */
export function now(hub: Hub): string {
  return sqlDate(hub.clock());
}

/** The time so many milliseconds from now, or before now, in the stored form. */
export function momentIn(hub: Pick<Hub, "clock">, milliseconds: number): string {
  return sqlDate(new Date(hub.clock().getTime() + milliseconds));
}
