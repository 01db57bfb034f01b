import { Kysely } from "kysely";
import type { LogEvent } from "kysely";
import { Migrator } from "kysely/migration";
import type { DatabaseSettings } from "../config.ts";
import { migrationsFor } from "./migrations/index.ts";
import { postgresDialect } from "./postgres.ts";
import { sqliteDialect } from "./sqlite.ts";
import type { Tables } from "./tables/index.ts";

export type Engine = DatabaseSettings["engine"];
export type Database = Kysely<Tables>;

/** Opens the database; nothing is created or changed before `migrate`. `onQuery` sees every statement. */
export function openDatabase(settings: DatabaseSettings, onQuery?: (event: LogEvent) => void): Database {
  const dialect = settings.engine === "sqlite" ? sqliteDialect(settings.file) : postgresDialect(settings.url);
  return new Kysely<Tables>({ dialect, ...(onQuery && { log: onQuery }) });
}

/** Brings the tables up to date, or to where they were after the step `last`; answers the names of the steps that were taken. */
export async function migrate(db: Database, engine: Engine, last?: string): Promise<string[]> {
  const steps = migrator(db, engine);
  const { error, results } = last === undefined ? await steps.migrateToLatest() : await steps.migrateTo(last);
  if (error) throw error as Error;
  return (results ?? []).map((result) => result.migrationName);
}

/** The steps that this program knows, and whether the tables have taken them. */
export async function migrationSteps(db: Database, engine: Engine): Promise<{ name: string; taken: boolean }[]> {
  const steps = await migrator(db, engine).getMigrations();
  return steps.map(({ name, executedAt }) => ({ name, taken: executedAt !== undefined }));
}

function migrator(db: Database, engine: Engine): Migrator {
  return new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrationsFor(engine)) } });
}
