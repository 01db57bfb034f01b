import { CompiledQuery, Kysely } from "kysely";
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

/** Brings the tables up to date and answers the names of the steps that were taken. */
export async function migrate(db: Database, engine: Engine): Promise<string[]> {
  const provider = { getMigrations: () => Promise.resolve(migrationsFor(engine)) };
  const { error, results } = await new Migrator({ db, provider }).migrateToLatest();
  if (error) throw error;
  return (results ?? []).map((result) => result.migrationName);
}

/** Asks the database for a sign of life. */
export async function ping(db: Database): Promise<void> {
  await db.executeQuery(CompiledQuery.raw("select 1"));
}
