import {
  CompiledQuery,
  DeleteQueryNode,
  InsertQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  UpdateQueryNode,
} from "kysely";
import type { DatabaseConnection, Dialect, Driver, LimitNode, QueryResult } from "kysely";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { SQLInputValue, StatementSync } from "node:sqlite";
import { mailGrams } from "./mail-grams.ts";
import { isPlainRead } from "./plain-read.ts";
import { wordsOnly } from "./words-only.ts";
import { setTimeout as wait } from "node:timers/promises";
import { DatabaseAway, DiskRefuses, detailOf } from "../errors.ts";
import type { Arrivals } from "./arrivals.ts";
import type { Dialects, Pool, Step } from "./dialects.ts";
import type { Side } from "./fair-queue.ts";
import { LoopShare } from "./loop-share.ts";
import { GroupCommit } from "./group-commit.ts";
import { rowMaker } from "./row-shape.ts";
import type { RowMaker } from "./row-shape.ts";
import type { BeginStatement } from "./statement-watch.ts";
import { Turns } from "./turns.ts";
import { boundedMap } from "../caches.ts";

// The busy timeout goes first: switching to WAL is the first thing that another process can be in the way of.
const openingPragmas = ["busy_timeout = 10000", "journal_mode = wal", "synchronous = full", "foreign_keys = on"];
const readingPragmas = ["cache_size = -8000", "temp_store = memory", "mmap_size = 1073741824"];

/**
 * Kysely on Node's own SQLite. Two handles on one file: changes and transactions take turns on the first one,
 * and plain reads use the second, so that nobody who reads waits for a transaction or sees half of one.
 */
export function sqliteDialects(file: string, arrivals: Arrivals, begin: BeginStatement | undefined): Dialects {
  const engine = new Engine(file, arrivals, begin);
  const dialect = (side: Side, step: Step): Dialect => ({
    createAdapter: () => new ManyConnections(),
    createDriver: () => new SqliteDriver(engine, side, step),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new QueryCompiler(),
  });
  return {
    requests: dialect("request", () => undefined),
    background: (step) => dialect("background", step),
    pool: () => engine.pool,
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

/** How many columns a statement answers, and what makes its rows if it answers any: asking for that each time would cost more than many a query. */
type Shape = { width: number; rowOf: RowMaker | undefined };

type Prepared = Shape & { statement: StatementSync };

function shapeOf(statement: StatementSync): Shape {
  const names = statement.columns().map(({ name }) => name);
  return { width: names.length, rowOf: names.length > 0 ? rowMaker(names) : undefined };
}

/** Letters stand where those without their marks do. */
function inOrder(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** One handle with its prepared statements; the oldest ones go when there are too many. */
class Handle {
  readonly #database: DatabaseSync;
  readonly #statements = boundedMap<string, Prepared>(1000);
  readonly #begin: BeginStatement | undefined;

  constructor(file: string, pragmas: string[], begin: BeginStatement | undefined) {
    this.#begin = begin;
    this.#database = new DatabaseSync(file);
    for (const pragma of pragmas) this.#database.exec(`pragma ${pragma}`);
    this.#database.function("fold", { deterministic: true }, (text) => String(text).toLowerCase());
    this.#database.function("in_order", { deterministic: true }, (text) => inOrder(String(text)));
    this.#database.function("words_only", { deterministic: true }, (text) => wordsOnly(String(text)));
    // Triggers call it.
    this.#database.function("mail_grams", { deterministic: true }, (channelId, text) =>
      mailGrams(Number(channelId), String(text)).join(" "),
    );
  }

  all(query: CompiledQuery): QueryResult<never> {
    const end = this.#begin?.(query.sql);
    try {
      return this.#run(query);
    } catch (error) {
      throw faultOf(error);
    } finally {
      end?.();
    }
  }

  #run(query: CompiledQuery): QueryResult<never> {
    const prepared = this.#prepare(query.sql);
    const { statement } = prepared;
    const parameters = query.parameters as SQLInputValue[];
    if (prepared.rowOf) {
      const rows = statement.all(...parameters) as unknown as unknown[][];
      // A program of the next version has given the tables more columns meanwhile.
      if (rows.length > 0 && rows[0]!.length !== prepared.width) Object.assign(prepared, shapeOf(statement));
      return { rows: rows.map(prepared.rowOf) as never[] };
    }
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  iterate(query: CompiledQuery): Iterable<unknown> {
    // A statement that is being stepped through must not be shared.
    return this.#database.prepare(query.sql).iterate(...(query.parameters as SQLInputValue[]));
  }

  close(): void {
    this.#database.close();
  }

  /** SQLite gives up a transaction by itself after some errors. */
  protected get isInTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** A statement of the handle's own, which nobody watches. */
  protected run(sql: string): void {
    this.#prepare(sql).statement.run();
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    const prepared = { statement, ...shapeOf(statement) };
    statement.setReturnArrays(true);
    this.#statements.set(sql, prepared);
    return prepared;
  }
}

/**
 * The handle of plain reads. Those that follow one another without waiting for anything outside share one view of the file: the locks
 * that each of them would take and give back by itself cost more than most of them do.
 */
class Reader extends Handle {
  #isSharing = false;

  override all(query: CompiledQuery): QueryResult<never> {
    if (!this.#isSharing) this.#share();
    return super.all(query);
  }

  /** The next read sees the file as it is by then. */
  lookAnew(): void {
    if (!this.#isSharing) return;
    this.#isSharing = false;
    if (this.isInTransaction) this.run("commit");
  }

  override close(): void {
    this.lookAnew();
    super.close();
  }

  #share(): void {
    this.run("begin");
    this.#isSharing = true;
    queueMicrotask(() => process.nextTick(() => this.lookAnew()));
  }
}

/** Of its driver a connection gets back only what it has made. */
function own(connection: DatabaseConnection): SqliteConnection {
  return connection as SqliteConnection;
}

const [busy, locked, readOnly, full] = [5, 6, 8, 13];
/** No room for what processes share about the log of changes. */
const noSharedMemory = 4874;

/** Is another process in the way? */
function isBusy(error: unknown): boolean {
  return error instanceof DatabaseAway && (Number(detailOf(error.cause, "errcode")) & 0xff) === busy;
}

/** What an error of SQLite means to callers: a disk that takes nothing or another process in the way is no fault of the program. */
function faultOf(error: unknown): unknown {
  const errcode = detailOf(error, "errcode");
  const code = Number(errcode) & 0xff;
  if (code === full || errcode === noSharedMemory) return new DiskRefuses("full", error);
  if (code === readOnly) return new DiskRefuses("read-only", error);
  return code === busy || code === locked ? new DatabaseAway(error) : error;
}

function isChange({ query }: CompiledQuery): boolean {
  return InsertQueryNode.is(query) || UpdateQueryNode.is(query) || DeleteQueryNode.is(query);
}

type Handles = {
  writer: Handle;
  reader: Handle;
  commits: GroupCommit;
  /** What begins and ends transactions, or can be in none: whoever reads after it sees what it has changed. */
  around(query: CompiledQuery): QueryResult<never>;
};

/** The two handles of a file, and who may use them when. */
class Engine {
  readonly turns: Turns;
  readonly loop: LoopShare;
  readonly #file: string;
  readonly #begin: BeginStatement | undefined;
  #handles: Handles | undefined;

  constructor(file: string, arrivals: Arrivals, begin: BeginStatement | undefined) {
    this.#file = file;
    this.#begin = begin;
    this.turns = new Turns(arrivals);
    this.loop = new LoopShare(arrivals);
  }

  get handles(): Handles {
    return (this.#handles ??= this.#open());
  }

  /** Handles need not be waited for, but the turn of the loop and of the one that writes. */
  get pool(): Pool {
    const open = this.#handles ? 2 : 0;
    const requests = this.turns.requests + this.loop.requests;
    return { open, idle: open, waiting: this.turns.length + this.loop.length, requests };
  }

  #open(): Handles {
    if (this.#file !== ":memory:") mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    const pragmas = [...openingPragmas, ...readingPragmas];
    const writer = new Handle(this.#file, pragmas, this.#begin);
    // A database in memory belongs to one handle.
    const reader = this.#file === ":memory:" ? undefined : new Reader(this.#file, pragmas, this.#begin);
    // Another process is waited for below, where everybody else goes on meanwhile.
    writer.all(CompiledQuery.raw("pragma busy_timeout = 0"));
    const around = (query: CompiledQuery): QueryResult<never> => {
      reader?.lookAnew();
      return writer.all(query);
    };
    const commits = new GroupCommit((statement) => void around(CompiledQuery.raw(statement)));
    return { writer, reader: reader ?? writer, commits, around };
  }

  close(): void {
    if (!this.#handles) return;
    const { writer, reader } = this.#handles;
    if (reader !== writer) reader.close();
    writer.close();
  }
}

class SqliteDriver implements Driver {
  readonly #engine: Engine;
  readonly #side: Side;
  readonly #step: Step;
  /** Kysely knows each that it has met, so that a new one for each statement costs more than keeping them. */
  readonly #idle: SqliteConnection[] = [];

  constructor(engine: Engine, side: Side, step: Step) {
    this.#engine = engine;
    this.#side = side;
    this.#step = step;
  }

  init(): Promise<void> {
    return Promise.resolve();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#step();
    return this.#idle.pop() ?? new SqliteConnection(this.#engine, this.#side);
  }

  beginTransaction(connection: DatabaseConnection): Promise<void> {
    return own(connection).begin();
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return own(connection).end("commit");
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return own(connection).end("rollback");
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#idle.push(own(connection));
    return Promise.resolve();
  }

  destroy(): Promise<void> {
    this.#engine.close();
    return Promise.resolve();
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #engine: Engine;
  readonly #side: Side;
  #leave: (() => void) | undefined;
  #began = 0;

  constructor(engine: Engine, side: Side) {
    this.#engine = engine;
    this.#side = side;
  }

  async begin(): Promise<void> {
    const { turns, handles } = this.#engine;
    const leave = await turns.enter(this.#side);
    try {
      await untilFree(() => handles.commits.begin());
      this.#leave = leave;
      this.#began = performance.now();
    } catch (error) {
      leave();
      throw error;
    }
  }

  async end(how: "commit" | "rollback"): Promise<void> {
    const { loop, turns, handles } = this.#engine;
    const { next } = turns;
    // Whoever waits for an answer does not wait for background work besides.
    const sharesCommit = next === "request" || (next === "background" && this.#side === "background");
    let settled: Promise<void>;
    try {
      settled = handles.commits.end(how, sharesCommit);
    } finally {
      this.#leave?.();
      this.#leave = undefined;
    }
    await settled;
    await loop.line(this.#side);
  }

  /** Does a request wait for what this one holds, or may another process? */
  #isInTheWay(): boolean {
    if (this.#side === "request" || this.#engine.turns.next === "request") return true;
    return this.#leave !== undefined && performance.now() - this.#began > longestHold;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return !this.#leave && isChange(query) ? this.#alone(query) : this.#execute(query);
  }

  async #execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { loop, turns, handles } = this.#engine;
    const isRead = !this.#leave && isPlainRead(query);
    const leave = this.#leave || isRead ? undefined : await turns.enter(this.#side);
    try {
      // Not even a moment is lost while there is time.
      const pause = loop.pause(isRead || !this.#isInTheWay() ? this.#side : "writer");
      if (pause) await pause;
      if (isRead) return handles.reader.all(query);
      if (!leave) return handles.writer.all(query);
      // Some statements can be in no transaction; they are on disk when they are done.
      handles.commits.close();
      return await untilFree(() => handles.around(query));
    } finally {
      leave?.();
    }
  }

  /** A change outside a transaction is one of its own, which can share its commit. */
  async #alone<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    await this.begin();
    try {
      const result = await this.#execute<R>(query);
      await this.end("commit");
      return result;
    } catch (error) {
      if (this.#leave) await this.end("rollback");
      throw error;
    }
  }

  // oxlint-disable-next-line typescript/require-await -- Kysely asks for an async generator
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    for (const row of this.#engine.handles.reader.iterate(query)) yield { rows: [row as R] };
  }
}

/** Whoever has held the file for so long goes on first: what waits for it in other processes is not known here. */
const longestHold = 100;

/** Nobody who works holds the file for so long: the process that has it stands still. */
const longestWait = 60_000;
const betweenAttempts = 2;

/** Does what needs the file for itself. While another process has it, the event loop turns and others go on. */
async function untilFree<T>(attempt: () => T): Promise<T> {
  const end = performance.now() + longestWait;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
    }
    await wait(betweenAttempts);
  }
}
