import type { Deed } from "../deeds.ts";
import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import { afterCommit, causeOf, doneAt, now } from "../hub.ts";
import type { Hub } from "../hub.ts";
import { compiledQuery } from "../storage/compiled-query.ts";
import type { Slots, Value } from "../storage/compiled-query.ts";
import { sqlDate, zeroDate } from "../storage/sql.ts";
import { pipelined } from "../storage/pipelined.ts";
import type { ExtensionJobName } from "../extensions/names.ts";
import type { JobKind, JobPayload } from "./kinds.ts";

export type JobOptions = {
  /** When to run, in the stored form of dates; at once when left out. */
  at?: string;
  /** At most one waiting job of a key exists; adding another changes nothing. */
  key?: string;
  /** Jobs of one lane run one after the other, in the order in which they were added. */
  lane?: string;
};

/** Adds a job in the current transaction: it exists exactly when the change that caused it does. */
export async function addJob<K extends JobKind>(
  hub: Hub,
  kind: K,
  payload: JobPayload<K>,
  options: JobOptions = {},
): Promise<void> {
  await addJobs(hub, kind, [payload], options);
}

/** Adds a job of an extension; it rests while that is not there. */
export async function addExtensionJob(
  hub: Hub,
  name: ExtensionJobName,
  payload: unknown,
  options: JobOptions = {},
): Promise<void> {
  await insertJobs(hub, name, [payload], options);
}

/** Adds several jobs of one kind. */
export async function addJobs<K extends JobKind>(
  hub: Hub,
  kind: K,
  payloads: readonly JobPayload<K>[],
  options: JobOptions = {},
): Promise<void> {
  await insertJobs(hub, kind, payloads, options);
}

async function insertJobs(
  hub: Hub,
  name: JobKind | ExtensionJobName,
  payloads: readonly unknown[],
  options: JobOptions,
): Promise<void> {
  if (payloads.length === 0) return;
  const [moment, created] = [now(hub), doneAt(hub)];
  const rows = payloads.map((payload) => ({
    name,
    payload: JSON.stringify(payload),
    unique_key: options.key ?? null,
    lane: options.lane ?? "",
    cause: causeOf(hub),
    run_at: options.at ?? moment,
    created,
    leased_until: zeroDate,
  }));
  const added = hub.db.insertInto("job").values(rows);
  await pipelined(
    hub,
    added.onConflict((conflict) => conflict.doNothing()),
  );
  afterCommit(hub, hub.wake);
}

/**
 * Adds a job if the condition holds by then, in the same statement; nobody is woken for it, so it is done within the second. For what would
 * hardly ever be added, and must not cost a question each time.
 */
export async function addJobWhere<K extends JobKind, Values extends Record<string, Value>>(
  hub: Hub,
  kind: K,
  payload: JobPayload<K>,
  values: Values,
  condition: (slots: Slots<Values>) => RawBuilder<SqlBool>,
): Promise<void> {
  const row = { ...values, payload: JSON.stringify(payload), moment: now(hub) };
  const statement = compiledQuery(hub, `job ${kind} where`, row, (slots) =>
    hub.db
      .insertInto("job")
      .columns(["name", "payload", "run_at", "created", "leased_until"])
      .expression(
        hub.db
          .selectNoFrom([
            sql.lit(kind).as("name"),
            sql<string>`${slots.payload}`.as("payload"),
            sql<string>`${slots.moment}`.as("run_at"),
            sql<string>`${slots.moment}`.as("created"),
            sql.lit(zeroDate).as("leased_until"),
          ])
          .where(condition(slots)),
      ),
  );
  await pipelined(hub, statement);
}

/** The lane of the jobs that carry what this channel says and does: nothing of it overtakes anything else. */
export function senderLane(channelId: number): string {
  return `from ${channelId}`;
}

/** Those elsewhere whom it concerns shall hear what the channel has done; part of the transaction of the deed. */
export async function addDeed(hub: Hub, channel: number, deed: Deed, options: JobOptions = {}): Promise<void> {
  await addJob(hub, "federate", { channel, deed }, { lane: senderLane(channel), ...options });
}

/** Is something that this channel did until then still to be told to others? */
export async function hasDeedsOf(hub: Hub, channel: number, until: string): Promise<boolean> {
  const row = await hub.db
    .selectFrom("job")
    .select("id")
    .where("lane", "=", senderLane(channel))
    .where(sql<SqlBool>`lane <> ''`)
    .where("name", "=", "federate")
    .where("dead", "=", 0)
    .where("created", "<=", until)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** How much of what was done until then is still to be told to others. */
export async function countDeeds(hub: Hub, until: string): Promise<number> {
  const { count } = await hub.db
    .selectFrom("job")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("name", "=", "federate")
    .where("dead", "=", 0)
    .where("created", "<=", until)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** How many jobs are due and not done, and how many were given up. What is for later, such as all that comes round, does not wait. */
export async function countJobs(hub: Hub): Promise<{ waiting: number; dead: number }> {
  const rows = await hub.db
    .selectFrom("job")
    .select(["dead", (eb) => eb.fn.countAll<number>().as("count")])
    .where((eb) => eb.or([eb("dead", "=", 1), eb("run_at", "<=", now(hub))]))
    .groupBy("dead")
    .execute();
  const count = (dead: number): number => Number(rows.find((row) => row.dead === dead)?.count ?? 0);
  return { waiting: count(0), dead: count(1) };
}

/** What was due by then is due now, though the clock has been set back since. */
export async function setBackJobs(hub: Hub, was: Date): Promise<void> {
  await hub.db
    .updateTable("job")
    .set({ run_at: now(hub) })
    .where("dead", "=", 0)
    .where("run_at", ">", now(hub))
    .where("run_at", "<=", sqlDate(was))
    .execute();
  hub.wake();
}

/** Nobody is at work on any job: whoever was, belonged to the hub that these tables come from. */
export async function releaseJobs({ db }: Pick<Hub, "db">): Promise<void> {
  await db.updateTable("job").set({ leased_until: zeroDate }).execute();
}
