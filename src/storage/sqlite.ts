import { CompiledQuery, SelectQueryNode, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import type { DatabaseConnection, Dialect, Driver, LimitNode, QueryResult } from "kysely";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { SQLInputValue, StatementSync } from "node:sqlite";
import { mailGrams } from "./mail-grams.ts";
import { DatabaseAway, DiskRefuses } from "../errors.ts";
import { SharedCommit } from "./shared-commit.ts";

// The busy timeout goes first: switching to WAL is the first thing that another process can be in the way of.
const openingPragmas = ["busy_timeout = 10000", "journal_mode = wal", "synchronous = full", "foreign_keys = on"];
const readingPragmas = ["cache_size = -32000", "temp_store = memory", "mmap_size = 1073741824"];

/**
 * Kysely on Node's own SQLite. Two handles on one file: changes and transactions take turns on the first one,
 * and plain reads use the second, so that nobody who reads waits for a transaction or sees half of one.
 */
export function sqliteDialect(file: string): Dialect {
  return {
    createAdapter: () => new ManyConnections(),
    createDriver: () => new SqliteDriver(file),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new QueryCompiler(),
  };
}

/**
 * SQLite looks at a parameter that is the limit when it plans, and so prepares the whole statement anew for every
 * execution; that costs more than most statements themselves. It does not look into a sum.
 */
class QueryCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    this.append("limit 0 + ");
    this.visitNode(node.limit);
  }
}

/** The driver below takes care of turns itself; without this, readers would wait for transactions. */
class ManyConnections extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /** SQLite can; so a migration happens as a whole, and by one process at a time. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** A statement, and whether it answers rows: asking that each time would cost more than many a query. */
type Prepared = { statement: StatementSync; answersRows: boolean };

/** One handle with its prepared statements; the oldest ones go when there are too many. */
class Handle {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, Prepared>();

  constructor(file: string, pragmas: string[]) {
    this.#database = new DatabaseSync(file);
    for (const pragma of pragmas) this.#database.exec(`pragma ${pragma}`);
    this.#database.function("fold", { deterministic: true }, (text) => String(text).toLowerCase());
    // Triggers call it.
    this.#database.function("mail_grams", { deterministic: true }, (channelId, text) =>
      mailGrams(Number(channelId), String(text)).join(" "),
    );
  }

  all(query: CompiledQuery): QueryResult<never> {
    try {
      return this.#run(query);
    } catch (error) {
      throw faultOf(error);
    }
  }

  #run(query: CompiledQuery): QueryResult<never> {
    const { statement, answersRows } = this.#prepare(query.sql);
    const parameters = query.parameters as SQLInputValue[];
    if (answersRows) return { rows: statement.all(...parameters) as never[] };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  iterate(query: CompiledQuery): Iterable<unknown> {
    // A statement that is being stepped through must not be shared.
    return this.#database.prepare(query.sql).iterate(...(query.parameters as SQLInputValue[]));
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known) return known;
    if (this.#statements.size >= 1000) this.#statements.delete(this.#statements.keys().next().value!);
    const statement = this.#database.prepare(sql);
    const prepared = { statement, answersRows: statement.columns().length > 0 };
    this.#statements.set(sql, prepared);
    return prepared;
  }
}

const [busy, locked, readOnly, full] = [5, 6, 8, 13];
/** No room for what processes share about the log of changes. */
const noSharedMemory = 4874;

/** What an error of SQLite means to callers: a disk that takes nothing or another process in the way is no fault of the program. */
function faultOf(error: unknown): unknown {
  const { errcode } = error as { errcode?: unknown };
  const code = Number(errcode) & 0xff;
  if (code === full || errcode === noSharedMemory) return new DiskRefuses("full", error);
  if (code === readOnly) return new DiskRefuses("read-only", error);
  return code === busy || code === locked ? new DatabaseAway(error) : error;
}

class SqliteDriver implements Driver {
  readonly #file: string;
  readonly #turns = new Turns();
  #writer: Handle | undefined;
  #reader: Handle | undefined;
  #commits: SharedCommit | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  init(): Promise<void> {
    if (this.#file !== ":memory:") mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    this.#writer = new Handle(this.#file, [...openingPragmas, ...readingPragmas]);
    // A database in memory belongs to one handle.
    this.#reader =
      this.#file === ":memory:" ? this.#writer : new Handle(this.#file, [...openingPragmas, ...readingPragmas]);
    const writer = this.#writer;
    this.#commits = new SharedCommit((statement) => void writer.all(CompiledQuery.raw(statement)));
    return Promise.resolve();
  }

  acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve(new SqliteConnection(this.#writer!, this.#reader!, this.#turns, this.#commits!));
  }

  beginTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as SqliteConnection).begin();
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as SqliteConnection).end("commit");
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as SqliteConnection).end("rollback");
  }

  releaseConnection(): Promise<void> {
    return Promise.resolve();
  }

  destroy(): Promise<void> {
    if (this.#reader !== this.#writer) this.#reader?.close();
    this.#writer?.close();
    return Promise.resolve();
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #writer: Handle;
  readonly #reader: Handle;
  readonly #turns: Turns;
  readonly #commits: SharedCommit;
  #leave: (() => void) | undefined;

  constructor(writer: Handle, reader: Handle, turns: Turns, commits: SharedCommit) {
    this.#writer = writer;
    this.#reader = reader;
    this.#turns = turns;
    this.#commits = commits;
  }

  async begin(): Promise<void> {
    const leave = await this.#turns.enter();
    try {
      this.#commits.begin();
      this.#leave = leave;
    } catch (error) {
      leave();
      throw error;
    }
  }

  async end(how: "commit" | "rollback"): Promise<void> {
    let settled: Promise<void>;
    try {
      settled = this.#commits.end(how, this.#turns.waiting > 0);
    } finally {
      this.#leave?.();
      this.#leave = undefined;
    }
    await settled;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#leave) return this.#writer.all(query);
    if (SelectQueryNode.is(query.query)) return this.#reader.all(query);
    const leave = await this.#turns.enter();
    try {
      // A statement of its own is on disk when it is done; some can be nothing else.
      this.#commits.close();
      return this.#writer.all(query);
    } finally {
      leave();
    }
  }

  // oxlint-disable-next-line typescript/require-await -- Kysely asks for an async generator
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    for (const row of this.#reader.iterate(query)) yield { rows: [row as R] };
  }
}

/** Lets one at a time through, in the order of arrival. */
class Turns {
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  /** How many have asked for a turn and not got it yet. */
  get waiting(): number {
    return this.#waiting;
  }

  async enter(): Promise<() => void> {
    const before = this.#last;
    let leave = (): void => undefined;
    this.#last = new Promise((resolve) => {
      leave = resolve;
    });
    this.#waiting += 1;
    await before;
    this.#waiting -= 1;
    return leave;
  }
}
