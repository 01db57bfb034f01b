import { DatabaseSync } from "node:sqlite";
import type { SQLInputValue, StatementSync } from "node:sqlite";
import pg from "pg";
import type { DatabaseSettings } from "../../src/config/database.ts";

export type Row = Record<string, any>;
export type Parameter = string | number | number[];

/** Runs a prepared statement, written with `$1` and `= any($1)`; its text names it. */
export type Run = (statement: string, ...parameters: Parameter[]) => Row[] | Promise<Row[]>;

/** The floor's way to the database: prepared statements and transactions, and nothing on top of them. */
export type FloorDatabase = { run: Run; transaction<T>(work: (run: Run) => Promise<T>): Promise<T> };

/** Opens the database with the hub's durability. */
export function openFloorDatabase(settings: DatabaseSettings): FloorDatabase {
  return settings.engine === "sqlite" ? sqliteFloor(settings.file) : postgresFloor(settings.url);
}

function sqliteFloor(file: string): FloorDatabase {
  const db = new DatabaseSync(file);
  for (const pragma of [
    "journal_mode = wal",
    "synchronous = full",
    "busy_timeout = 10000",
    "cache_size = -32000",
    "mmap_size = 1073741824",
  ])
    db.exec(`pragma ${pragma}`);
  const statements = new Map<string, StatementSync>();
  const run: Run = (text, ...parameters) => {
    let statement = statements.get(text);
    if (!statement) {
      statement = db.prepare(
        text.replace(/= any\(\$(\d)\)/g, "in (select value from json_each(?$1))").replace(/\$(\d+)/g, "?$1"),
      );
      statements.set(text, statement);
    }
    return statement.all(
      ...parameters.map((value): SQLInputValue => (Array.isArray(value) ? JSON.stringify(value) : value)),
    );
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    run,
    transaction(work) {
      const mine = last.then(async () => {
        await run("begin immediate");
        const result = await work(run);
        await run("commit");
        return result;
      });
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}

function postgresFloor(url: string): FloorDatabase {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  const names = new Map<string, string>();
  const nameOf = (text: string): string => {
    const name = names.get(text) ?? `f${names.size}`;
    names.set(text, name);
    return name;
  };
  const on =
    (client: pg.Pool | pg.PoolClient): Run =>
    async (text, ...values) =>
      (await client.query<Row>({ text, values, name: nameOf(text) })).rows;
  return {
    run: on(pool),
    async transaction(work) {
      const client = await pool.connect();
      try {
        const run = on(client);
        await run("begin");
        const result = await work(run);
        await run("commit");
        return result;
      } finally {
        client.release();
      }
    },
  };
}
