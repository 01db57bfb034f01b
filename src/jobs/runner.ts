import { setTimeout as sleep } from "node:timers/promises";
import type { JobEnd } from "../counters.ts";
import { withinBudget } from "../domain/peers/fetch-budgets.ts";
import { OutOfOrder, Stopping } from "../errors.ts";
import type { Json } from "../extensions/extension.ts";
import { extensionJobName, extensionJobs, findExtensionJob, isExtensionJobName } from "../extensions/names.ts";
import type { ExtensionJobName } from "../extensions/names.ts";
import { dueSince, inBackground, inTransaction, momentIn, now } from "../hub.ts";
import type { Hub } from "../hub.ts";
import { leaseSeconds, Leases, renewalMilliseconds } from "../leases.ts";
import { isHubsFault, Probing, waitForHub } from "../probing.ts";
import { isOneOf, zeroDate } from "../storage/sql.ts";
import { sql } from "kysely";
import type { RawBuilder, Selectable, SqlBool } from "kysely";
import type { JobTable } from "../storage/tables/jobs.ts";
import { payloadSchemas, regularJobs } from "./kinds.ts";
import type { JobKind } from "./kinds.ts";
import { addExtensionJob, addJob } from "./queue.ts";
import { ExtensionAway, wakeResting } from "./resting.ts";
import { jobs } from "./table.ts";
import { isKnown } from "./unknown.ts";

type JobRow = Selectable<JobTable>;

/** How many jobs are under way at once. */
const together = 4;
/** How often to look when nobody says that there is work, and whether the database answers again. */
const pollMilliseconds = 1000;
/** After the last of these waits (seconds) a job is given up and kept for the operator. */
const waits = [5, 30, 120, 600, 3600, 4 * 3600, 12 * 3600];
/** The longest wait for what is none of the job's fault (seconds), such as an extension that is away: it goes on for as long as that takes. */
const longestOutOfOrder = 3600;

export type Runner = {
  /** Finishes what is under way and stops. */
  stop: () => Promise<void>;
  /** Runs everything that is due, and what that causes, until nothing is left. */
  drain: () => Promise<void>;
};

/** Starts the worker of this process. Jobs are leased, not removed: whatever kills the process, they come back. */
export async function startRunner(hub: Hub): Promise<Runner> {
  await planRegularJobs(hub);
  const stopping = new AbortController();
  const worker = workerOf(hub, stopping.signal);
  let underWay: Promise<unknown> = Promise.resolve();
  let waiting = false;
  const look = (): void => {
    if (stopping.signal.aborted) return;
    worker.called.resolve();
    if (waiting) return;
    waiting = true;
    underWay = underWay
      .then(async () => {
        waiting = false;
        await work(worker);
      })
      .catch((error: unknown) => {
        if (error instanceof OutOfOrder) worker.leases.noteAway();
        hub.log.error("The job runner failed: {error}", { error });
      });
  };
  const timer = setInterval(look, pollMilliseconds);
  hub.wake = () => void setImmediate(look);
  look();
  return {
    async stop() {
      stopping.abort();
      clearInterval(timer);
      hub.wake = () => undefined;
      await underWay;
    },
    async drain() {
      const all = underWay.then(() => runDue(hub));
      underWay = all.catch(() => undefined);
      await all;
    },
  };
}

const never = new AbortController().signal;

/** Runs jobs until none is due, or until it is told to stop. */
export function runDue(hub: Hub, stop: AbortSignal = never): Promise<void> {
  return work(workerOf(hub, stop));
}

/** Who runs jobs, and what it knows of them. */
type Worker = {
  /** The hub as the runner itself uses it, and as jobs do, which stop when they are told to. */
  hub: Hub;
  inJobs: Hub;
  stop: AbortSignal;
  running: Map<number, Promise<void>>;
  /** There may be more to do. */
  called: PromiseWithResolvers<void>;
  leases: Leases;
  probing: Probing<string>;
};

function workerOf(hub: Hub, stop: AbortSignal): Worker {
  return {
    hub: inBackground(hub, never),
    inJobs: inBackground(hub, stop),
    stop,
    running: new Map(),
    called: Promise.withResolvers(),
    leases: new Leases(),
    probing: new Probing(),
  };
}

/** When it is told to stop, jobs that are under way stop at their next step, and begin anew another time. */
async function work(worker: Worker): Promise<void> {
  const { running, stop } = worker;
  try {
    for (;;) {
      const underWay = running.size;
      const free = together - underWay;
      const leased = free > 0 && !stop.aborted ? await lease(worker, free) : [];
      for (const row of leased)
        running.set(
          row.id,
          run(worker, row).finally(() => running.delete(row.id)),
        );
      // What ended during the look may have made room in its lane for something that was not seen yet.
      if (running.size > 0) await Promise.race([...running.values(), worker.called.promise]);
      else if (underWay === 0) return;
      worker.called = Promise.withResolvers();
    }
  } finally {
    // The others are not left alone when one cannot even write down how it ended.
    await Promise.allSettled(running.values());
  }
}

/** Takes some due jobs for this worker; nobody else gets them while the lease lasts. */
async function lease({ hub, running, leases, probing }: Worker, most: number): Promise<JobRow[]> {
  const moment = now(hub);
  const known = isKnown(hub);
  const held = sql<SqlBool>`(${isOneOf(hub.engine, sql.ref("name"), probing.held())} or not ${known})`;
  const due = { moment, over: leases.over(hub), held };
  const dueAmong = (some: RawBuilder<SqlBool>) =>
    hub.db
      .selectFrom("job")
      .select("id")
      .where(some)
      .where("leased_until", "<=", due.over)
      // What is first in its lane may be unknown, and then all of the lane waits for who knows it.
      .where(known)
      .where(sql<SqlBool>`not ${isOneOf(hub.engine, sql.ref("id"), [...running.keys()])}`)
      .orderBy("run_at")
      .orderBy("id")
      .limit(most);
  // Nothing to do is the usual answer; it should not cost a write.
  let next = dueAmong(firstOfNext(due));
  let found = await next.execute();
  if (found.length < most) {
    next = dueAmong(firstOfAll(due));
    found = await next.execute();
  }
  if (found.length === 0) return [];
  if (hub.engine === "postgres") next = next.forUpdate().skipLocked();
  return hub.db
    .updateTable("job")
    .set({ leased_until: momentIn(hub, leaseSeconds * 1000), attempts: sql`attempts + 1` })
    .where("id", "in", next)
    .returningAll()
    .execute();
}

/** What is due at a moment, leases until `over` being so; jobs of which `held` is true are not tried now. */
type Due = { moment: string; over: string; held: RawBuilder<SqlBool> };

/** How many due jobs are looked at for some that may run: of one lane there may be thousands, and one of them is next. */
const lookedAt = 200;

/**
 * The job of a lane that is next. Posts of one sender arrive in the order in which they were written; a job that waits to
 * be tried again holds up nobody.
 */
function firstOf(lane: RawBuilder<unknown>, moment: string): RawBuilder<unknown> {
  // The sum keeps the engine from the index of what is due, in which all of a long lane would be sorted for each row.
  return sql`(select first.id from job first where first.lane = ${lane} and first.lane <> '' and first.dead + 0 = 0
    and first.run_at <= ${moment} order by first.id limit 1)`;
}

/** Those that may run among the jobs that are due first. */
function firstOfNext({ moment, over, held }: Due): RawBuilder<SqlBool> {
  return sql`id in (select case when due.lane = '' then due.id else ${firstOf(sql.ref("due.lane"), moment)} end
    from (select id, lane from job where dead = 0 and run_at <= ${moment} and leased_until <= ${over} and not ${held}
      order by run_at, id limit ${sql.lit(lookedAt)}) due)`;
}

/** Those that may run among all: it goes from lane to lane, so it costs by their number and not by their length. */
function firstOfAll({ moment, over, held }: Due): RawBuilder<SqlBool> {
  return sql`id in (with recursive lanes(lane) as (select min(lane) from job where lane <> ''
      union all select (select min(job.lane) from job where job.lane > lanes.lane and job.lane <> '')
        from lanes where lanes.lane is not null)
    select ${firstOf(sql.ref("lanes.lane"), moment)} from lanes where lanes.lane is not null
    union all select id from (select id from job where lane = '' and dead = 0 and run_at <= ${moment}
      and leased_until <= ${over} and not ${held} order by run_at, id limit ${sql.lit(lookedAt)}) unlaned)`;
}

async function run(worker: Worker, row: JobRow): Promise<void> {
  const { hub, inJobs, probing } = worker;
  const renewal = setInterval(() => void renew(worker, row), renewalMilliseconds);
  const began = performance.now();
  const milliseconds = (): number => performance.now() - began;
  const count = (end: JobEnd): void => hub.counters.countJob(row.name, end, milliseconds() / 1000);
  const { name, payload } = row;
  probing.begun(name);
  try {
    // Nobody has written down how the last attempt ended, again and again: it takes its worker along.
    if (row.attempts > waits.length + 1 && intervalOf(hub, row) === undefined)
      throw new Error("Each attempt ended without a result");
    await hub.named(`job ${name}`, () => workOn(hubOf(inJobs, row), name, payload));
    probing.ended(name, false);
    await writeDown(worker, () => done(hub, row));
    count("done");
  } catch (error) {
    probing.ended(name, isHubsFault(error));
    const took = milliseconds();
    if (error instanceof Stopping) await writeDown(worker, () => giveBack(hub, row));
    else if (isHubsFault(error) && !isExtensionJobName(name)) {
      await writeDown(worker, () => putOff(hub, row, error, waitForHub(took)));
      count("failed");
    } else count(await writeDown(worker, () => failed(hub, row, error)));
  } finally {
    clearInterval(renewal);
  }
}

/** While the database takes nothing, the row stays with this worker. */
async function writeDown<T>({ hub, stop, leases }: Worker, write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isHubsFault(error) || stop.aborted) throw error;
      leases.noteAway();
      hub.log.error("How a job has ended cannot be written down yet: {error}", { error });
      await sleep(pollMilliseconds);
    }
  }
}

/** The hub that knows for what the job is, and since when: one that was planned since its time has come. */
function hubOf(hub: Hub, row: JobRow): Hub {
  const inside = row.cause === "" ? hub : withinBudget(hub, row.cause);
  if (intervalOf(hub, row) !== undefined) return inside;
  return dueSince(inside, row.attempts > 1 || row.last_error !== "" ? row.created : row.run_at);
}

async function workOn(hub: Hub, name: string, payload: string): Promise<void> {
  if (isExtensionJobName(name)) return performExtension(hub, name, payload);
  // No others are leased.
  return perform(hub, name as JobKind, payload);
}

async function performExtension(hub: Hub, name: ExtensionJobName, payload: string): Promise<void> {
  const found = findExtensionJob(hub.extensions, name);
  if (!found) throw new ExtensionAway(name);
  const { toolsOf } = await import("../extensions/tools.ts");
  await found.job.run(toolsOf(hub, found.extension), JSON.parse(payload) as Json);
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- without it nothing says that the two tables fit
function perform<K extends JobKind>(hub: Hub, kind: K, payload: string): Promise<void> {
  return jobs[kind](hub, payloadSchemas[kind].parse(JSON.parse(payload)));
}

/** Seconds until a job runs again that nobody adds; undefined for all others. */
function intervalOf({ extensions }: Hub, row: JobRow): number | undefined {
  if (isExtensionJobName(row.name)) return findExtensionJob(extensions, row.name)?.job.every;
  return regularJobs.find(([kind]) => kind === row.name)?.[1];
}

async function renew({ hub, leases }: Worker, row: JobRow): Promise<void> {
  try {
    await hub.db
      .updateTable("job")
      .set({ leased_until: momentIn(hub, leaseSeconds * 1000) })
      .where(stillOurs(row))
      .execute();
  } catch (error) {
    leases.noteAway();
    hub.log.warning("The lease of job {name} could not be renewed: {error}", { name: row.name, id: row.id, error });
  }
}

/** A worker that was away for too long has lost the job to another one, and decides nothing about it any more. */
function stillOurs({ id, attempts }: JobRow) {
  return sql<SqlBool>`id = ${id} and attempts = ${attempts}`;
}

/** A regular job waits for its next time; any other one is gone. */
async function done(hub: Hub, row: JobRow): Promise<void> {
  const every = intervalOf(hub, row);
  if (every === undefined) {
    await hub.db.deleteFrom("job").where(stillOurs(row)).execute();
    return;
  }
  await hub.db
    .updateTable("job")
    .set({ run_at: momentIn(hub, every * 1000), leased_until: zeroDate, attempts: 0, last_error: "" })
    .where(stillOurs(row))
    .execute();
}

/** It has done nothing wrong, and is run again as soon as there is a worker. */
async function giveBack(hub: Hub, row: JobRow): Promise<void> {
  await hub.db
    .updateTable("job")
    .set({ leased_until: zeroDate, attempts: row.attempts - 1 })
    .where(stillOurs(row))
    .execute();
}

/** It has done nothing wrong, and is tried again until the hub is well; it may run often, of which only our own jobs think. */
async function putOff(hub: Hub, row: JobRow, error: unknown, milliseconds: number): Promise<void> {
  await hub.db
    .updateTable("job")
    .set({
      run_at: momentIn(hub, milliseconds),
      leased_until: zeroDate,
      attempts: row.attempts - 1,
      last_error: reasonOf(error),
    })
    .where(stillOurs(row))
    .execute();
  hub.log.warning("Job {name} waits, because the hub is out of order: {error}", { name: row.name, id: row.id, error });
}

async function failed(hub: Hub, row: JobRow, error: unknown): Promise<JobEnd> {
  const every = intervalOf(hub, row);
  const isOutOfOrder = error instanceof OutOfOrder || error instanceof ExtensionAway;
  const wait = isOutOfOrder
    ? Math.min(waits[row.attempts - 1] ?? Infinity, longestOutOfOrder)
    : waits[row.attempts - 1];
  const dead = wait === undefined && every === undefined;
  await hub.db
    .updateTable("job")
    .set({
      run_at: momentIn(hub, 1000 * Math.min(wait ?? waits.at(-1)!, every ?? Infinity)),
      leased_until: zeroDate,
      last_error: reasonOf(error),
      ...(isOutOfOrder && { attempts: Math.min(row.attempts, waits.length) }),
      // A job that was given up must not keep others of its key from being added.
      ...(dead && { dead: 1, unique_key: null }),
    })
    .where(stillOurs(row))
    .execute();
  const level = dead ? "error" : "warning";
  hub.log[level]("Job {name} failed, attempt {attempt}: {error}", {
    name: row.name,
    id: row.id,
    attempt: row.attempts,
    error,
  });
  return dead ? "dead" : "failed";
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 1000);
}

async function planRegularJobs(hub: Hub): Promise<void> {
  await inTransaction(hub, async (hub) => {
    for (const [kind] of regularJobs) await addJob(hub, kind, {}, { key: kind });
    for (const { extension, job } of extensionJobs(hub.extensions)) {
      const name = extensionJobName(extension, job.name);
      if (job.every !== undefined) await addExtensionJob(hub, name, null, { key: name });
    }
    await wakeResting(hub);
  });
}
