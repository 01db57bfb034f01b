import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from "kysely";
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { migrationSteps } from "./database.ts";
import type { Database, Engine } from "./engine.ts";
import { migrationsFor } from "./migrations/index.ts";

/**
 * A step that the tables have not taken, how many rows there are in those known tables that it changes or reads, and the jobs
 * that go on with it while the hub serves.
 */
export type PreviewedStep = { name: string; tables: { table: string; rows: number }[]; jobs: string[] };

/** What bringing the tables up to date would do; nothing is changed. */
export async function previewMigration(db: Database, engine: Engine): Promise<PreviewedStep[]> {
  const steps = (await migrationSteps(db, engine)).filter(({ taken }) => !taken);
  const there = new Set((await db.introspection.getTables()).map(({ name }) => name));
  const counts = new Map<string, number>();
  const rowsIn = async (table: string): Promise<number> => {
    const known = counts.get(table);
    if (known !== undefined) return known;
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db);
    counts.set(table, Number(rows[0]!.n));
    return Number(rows[0]!.n);
  };
  const previewed: PreviewedStep[] = [];
  for (const { name } of steps) {
    const statements = await statementsOf(name, engine);
    const names = namesIn(statements).filter((word) => there.has(word));
    const tables = [];
    for (const table of names.toSorted()) tables.push({ table, rows: await rowsIn(table) });
    previewed.push({ name, tables, jobs: statements.flatMap(jobIn) });
  }
  return previewed;
}

/** The job that a statement adds, if it does. */
function jobIn(statement: string): string[] {
  const [, kind, step] = /^insert into job .*\sselect '([a-z-]+)', '(?:\{"step":"([a-z-]+)"\})?/s.exec(statement) ?? [];
  return kind === undefined ? [] : [step ?? kind];
}

/** All words that might name a table. */
function namesIn(statements: readonly string[]): string[] {
  return [...new Set(statements.flatMap((statement) => statement.match(/[a-z_][a-z0-9_]*/g) ?? []))];
}

/** What a step says to a database without any rows, which is as far as it can be told beforehand. */
export async function statementsOf(name: string, engine: Engine): Promise<string[]> {
  const said: string[] = [];
  const db = new Kysely<unknown>({ dialect: silentDialect(engine, said) });
  const { up } = migrationsFor(engine)[name]!;
  // A step that needs what it has read ends there.
  await up(db).catch(() => undefined);
  return said;
}

function silentDialect(engine: Engine, said: string[]) {
  const isSqlite = engine === "sqlite";
  return {
    createAdapter: () => (isSqlite ? new SqliteAdapter() : new PostgresAdapter()),
    createDriver: () => new SilentDriver(said),
    createIntrospector: (db: Kysely<unknown>) => (isSqlite ? new SqliteIntrospector(db) : new PostgresIntrospector(db)),
    createQueryCompiler: () => (isSqlite ? new SqliteQueryCompiler() : new PostgresQueryCompiler()),
  };
}

/** Takes down what is said to it, and answers nothing. */
class SilentDriver extends DummyDriver {
  readonly #said: string[];

  constructor(said: string[]) {
    super();
    this.#said = said;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    connection.executeQuery = <R>({ sql }: CompiledQuery): Promise<QueryResult<R>> => {
      this.#said.push(sql);
      return Promise.resolve({ rows: [] });
    };
    return connection;
  }
}
