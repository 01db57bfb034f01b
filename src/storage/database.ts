import { Kysely, sql } from "kysely";
import type { Dialect, LogEvent } from "kysely";
import type { MigrationResult, Migrator } from "kysely/migration";
import type { DatabaseSettings } from "../config/database.ts";
import { refusal } from "../errors.ts";
import { Arrivals } from "./arrivals.ts";
import { againAfterCollisions } from "./collisions.ts";
import type { Pool, Step } from "./dialects.ts";
import type { Database, Engine } from "./engine.ts";
import { stepNames } from "./migrations/names.ts";
import { postgresDialects } from "./postgres.ts";
import { sqliteDialects } from "./sqlite.ts";
import { replicaOf } from "./replica.ts";
import type { Replica } from "./replica.ts";
import type { BeginStatement, StatementWatch } from "./statement-watch.ts";
import type { Tables } from "./tables/index.ts";

/** One database, for those who wait for an answer and for work that lets them go first. */
export type Databases = {
  db: Database;
  /** For background work, which asks `step` before each of its statements and transactions; closed with the other. */
  background: (step: Step) => Database;
  /** Does the work of one who comes now: it keeps its place among all who wait, however often it waits. */
  inOrder: <T>(work: () => T) => T;
  /** A connection has come in, and more may be at the door. */
  cameIn: () => void;
  /** Says what is being done for the one who asks, for the log. */
  nameWork: (name: string) => void;
  /** Does work of that name that nobody waits for. */
  named: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  pool: () => Pool;
  /** Another server that repeats this one, for what may be a second old. */
  replica?: Replica;
};

export type Watching = { onQuery?: (event: LogEvent) => void; watch?: StatementWatch };

/** Opens the database; nothing is created or changed before `migrate`. `onQuery` sees every statement. */
export function openDatabases(settings: DatabaseSettings, { onQuery, watch }: Watching = {}): Databases {
  const arrivals = new Arrivals();
  const begin = watch && beginning(watch, arrivals);
  const { requests, background, pool, replica } =
    settings.engine === "sqlite" ? sqliteDialects(settings.file, arrivals, begin) : postgresDialects(settings, begin);
  const open = (dialect: Dialect): Database => new Kysely<Tables>({ dialect, ...(onQuery && { log: onQuery }) });
  return {
    db: open(requests),
    background: (step) => open(background(step)),
    inOrder: (work) => arrivals.enter(work),
    cameIn: () => arrivals.cameIn(),
    nameWork: (name) => arrivals.name(name),
    named: (name, work) => arrivals.named(name, work),
    pool,
    ...(replica && { replica: replicaOf(open(replica.dialect), replica) }),
  };
}

/** What is being done is known where a statement begins; its answer may come to somebody else's turn. */
function beginning(watch: StatementWatch, arrivals: Arrivals): BeginStatement {
  return (statement) => {
    const [began, end] = [performance.now(), watch(statement, arrivals.doing)];
    return () => end(performance.now() - began);
  };
}

/** Opens the database for one who has it alone. */
export function openDatabase(settings: DatabaseSettings): Database {
  return openDatabases(settings).db;
}

/**
 * Brings the tables up to date, or to where they were after the step `last`; answers the names of the steps that were taken. Tables to
 * which a newer program has only added something are left to it. Throws conflict where this one cannot use them any more.
 */
export async function migrate(db: Database, engine: Engine, last?: string): Promise<string[]> {
  if (last === undefined && (await isUpToDate(db))) return [];
  try {
    // Whoever serves meanwhile may have to wait for the steps, and they for them.
    const steps = await migrator(db, engine);
    const taken = await againAfterCollisions(() => takeSteps(steps, last));
    return taken.map(({ migrationName }) => migrationName);
  } catch (error) {
    const newer = await newerStep(db).catch(() => undefined);
    throw newer ? refusal("database_is_newer") : error;
  }
}

async function takeSteps(steps: Migrator, last: string | undefined): Promise<MigrationResult[]> {
  const { error, results } = last === undefined ? await steps.migrateToLatest() : await steps.migrateTo(last);
  if (error) throw error as Error;
  return results ?? [];
}

/**
 * Have the tables taken all steps of this program, and none that it had to know? The way through the migrator reads the whole catalogue
 * twice, which costs a command on PostgreSQL more than its own work. A database that cannot answer is left to the migrator.
 */
async function isUpToDate(db: Database): Promise<boolean> {
  try {
    const taken = await takenSteps(db);
    return hasAllSteps(taken) && (await newerStepIn(taken, db))?.takesAway !== true;
  } catch {
    return false;
  }
}

/** Have the tables taken all steps of this program? A newer one may have taken further ones. Throws when the database does not answer. */
export async function areTablesReady(db: Database): Promise<boolean> {
  return hasAllSteps(await takenSteps(db));
}

function hasAllSteps(taken: Set<string>): boolean {
  return stepNames.every((name) => taken.has(name));
}

async function takenSteps(db: Database): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

/** The steps that this program knows, and whether the tables have taken them. */
export async function migrationSteps(db: Database, engine: Engine): Promise<{ name: string; taken: boolean }[]> {
  const steps = await (await migrator(db, engine)).getMigrations();
  return steps.map(({ name, executedAt }) => ({ name, taken: executedAt !== undefined }));
}

type NewerStep = { name: string; takesAway: boolean };

/** The newest step that the tables have taken and this program does not know; do such steps take something away that it uses? */
export async function newerStep(db: Database): Promise<NewerStep | undefined> {
  return newerStepIn(await takenSteps(db), db);
}

async function newerStepIn(taken: Set<string>, db: Database): Promise<NewerStep | undefined> {
  const known = new Set(stepNames);
  const unknown = [...taken].filter((name) => !known.has(name)).toSorted();
  const name = unknown.at(-1);
  if (name === undefined) return undefined;
  const contractions = await db.selectFrom("contraction").select("step").execute();
  return { name, takesAway: contractions.some(({ step }) => unknown.includes(step)) };
}

/** The steps, and what takes them, are loaded here: most starts take none. */
async function migrator(db: Database, engine: Engine): Promise<Migrator> {
  const [{ Migrator }, { migrationsFor }] = await Promise.all([
    import("kysely/migration"),
    import("./migrations/index.ts"),
  ]);
  return new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrationsFor(engine)) } });
}
