import { AbortedTransactionError, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from "kysely";
import { Collision } from "../errors.ts";
import { againAfterCollisions } from "./collisions.ts";
import type { Dialects, Pool, Step } from "./dialects.ts";
import { openClients } from "./postgres-clients.ts";
import type { Client, Clients } from "./postgres-clients.ts";
import type { PostgresSettings } from "./postgres-sessions.ts";
import { ReplicaAge, askPrimary, askReplica, checkFresh } from "./replica.ts";
import { Semaphore } from "../semaphore.ts";
import type { BeginStatement } from "./statement-watch.ts";
import { isPipelined } from "./pipelined.ts";
import { isPlainRead } from "./plain-read.ts";
import type { PipelinedResult } from "./pipelined.ts";

/** Clients of one process where nobody says how many. */
const usualPool = 10;
/** Of all clients changes and transactions have all but so many, so that whoever reads finds one free. */
const onlyReading = 2;
/** Of those, transactions of background work have one in so many at most, so that requests find one free. */
const inBackground = 2;

/**
 * Kysely on PostgreSQL. What costs most there is to send something and wait for it, so plain reads that are asked for in
 * the same turn go to one client and out together, and a transaction begins with its first statement.
 */
export function postgresDialects(settings: PostgresSettings, begin: BeginStatement | undefined): Dialects {
  const engine = new Engine(settings, begin);
  const dialect = (step: Step, semaphore?: Semaphore, readsFrom = engine): Dialect => ({
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PostgresDriver(engine, step, semaphore, readsFrom),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  });
  const semaphore = new Semaphore(Math.floor(changing(settings) / inBackground));
  return {
    requests: dialect(() => undefined),
    background: (step) => dialect(step, semaphore),
    pool: () => engine.pool(semaphore.length),
    ...(settings.replica !== undefined && { replica: replicaDialect(engine, settings, begin, dialect) }),
  };
}

/** Plain reads go to the replica, as long as it is fresh; everything else goes to the primary. */
function replicaDialect(
  primary: Engine,
  { direct: _past, ...settings }: PostgresSettings,
  begin: BeginStatement | undefined,
  dialect: (step: Step, semaphore: undefined, readsFrom: Engine) => Dialect,
): Required<Dialects>["replica"] {
  const replica = new Engine({ ...settings, url: settings.replica! }, begin);
  const age = new ReplicaAge({ primary: () => primary.ask(askPrimary), replica: () => replica.ask(askReplica) });
  const end = (): Promise<void> => {
    age.end();
    return replica.end();
  };
  return { dialect: dialect(() => checkFresh(age), undefined, replica), age, end };
}

function changing({ pool = usualPool }: PostgresSettings): number {
  return pool - onlyReading;
}

/** The clients of a database, opened at the first use. */
class Engine {
  readonly #settings: PostgresSettings;
  readonly #changing: Semaphore;
  readonly #begin: BeginStatement | undefined;
  #clients: Promise<Clients> | undefined;
  #opened: Clients | undefined;
  #turn: Promise<Client> | undefined;
  #end: Promise<void> | undefined;

  constructor(settings: PostgresSettings, begin: BeginStatement | undefined) {
    this.#settings = settings;
    this.#changing = new Semaphore(changing(settings));
    this.#begin = begin;
  }

  open(): Promise<Clients> {
    return (this.#clients ??= this.#open());
  }

  async #open(): Promise<Clients> {
    return (this.#opened = await openClients(
      { ...this.#settings, pool: this.#settings.pool ?? usualPool },
      this.#begin,
    ));
  }

  /** Also where it was opened for others than Kysely, which ends what it has begun. */
  end(): Promise<void> {
    return (this.#end ??= Promise.resolve(this.#clients).then((clients) => clients?.end()));
  }

  /** `inBackground`: so many wait for their turn among jobs. */
  pool(inBackground: number): Pool {
    const { open = 0, idle = 0, waiting = 0 } = this.#opened?.pool() ?? {};
    const requests = waiting + this.#changing.length;
    return { open, idle, waiting: requests + inBackground, requests };
  }

  /** A client of one's own, for what changes something; to be followed by `leave`. */
  async take(): Promise<Client> {
    await this.#changing.take();
    try {
      return await this.#any();
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  leave(): void {
    this.#changing.leave();
  }

  async #any(): Promise<Client> {
    return (await this.open()).take();
  }

  /** The one row of a statement about the server itself. */
  async ask<R>(statement: string): Promise<R> {
    const client = await this.share();
    client.join();
    try {
      const { rows } = await client.send<R>(statement, []);
      if (rows[0] === undefined) throw new Error("It is no replica.");
      return rows[0];
    } finally {
      client.leave(false);
    }
  }

  /** The client of all who read in this turn. They wait for each other, so it is for statements that wait for no lock. */
  share(): Promise<Client> {
    if (!this.#turn) {
      this.#turn = this.#any();
      process.nextTick(() => (this.#turn = undefined));
    }
    return this.#turn;
  }
}

class PostgresDriver implements Driver {
  readonly #engine: Engine;
  readonly #step: Step;
  readonly #semaphore: Semaphore | undefined;
  readonly #readsFrom: Engine;
  readonly #admitted = new WeakSet<DatabaseConnection>();
  /** Kysely knows each that it has met, so that a new one for each statement costs more than keeping them. */
  readonly #idle: PostgresConnection[] = [];

  constructor(engine: Engine, step: Step, semaphore: Semaphore | undefined, readsFrom: Engine) {
    this.#engine = engine;
    this.#step = step;
    this.#semaphore = semaphore;
    this.#readsFrom = readsFrom;
  }

  async init(): Promise<void> {
    await this.#engine.open();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#step();
    return this.#idle.pop() ?? new PostgresConnection(this.#engine, this.#readsFrom);
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#semaphore?.take();
    this.#admitted.add(connection);
    await own(connection).begin();
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return own(connection).commit();
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return own(connection).rollback();
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    own(connection).release();
    if (this.#admitted.delete(connection)) this.#semaphore?.leave();
    this.#idle.push(own(connection));
    return Promise.resolve();
  }

  async destroy(): Promise<void> {
    await this.#readsFrom.end();
  }
}

/** Of its driver a connection gets back only what it has made. */
function own(connection: DatabaseConnection): PostgresConnection {
  return connection as PostgresConnection;
}

/** Takes its client when it has something to say, and keeps it until it is released. */
class PostgresConnection implements DatabaseConnection {
  readonly #engine: Engine;
  readonly #readsFrom: Engine;
  #client: Client | undefined;
  #isOwn = false;
  #broken = false;
  #inTransaction = false;
  /** Of a statement whose answer was not waited for, or of a collision: whatever fails after it does so for this reason. */
  #failure: unknown;

  constructor(engine: Engine, readsFrom: Engine) {
    this.#engine = engine;
    this.#readsFrom = readsFrom;
  }

  async executeQuery<R>(statement: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#client && isPipelined(statement)) return this.#sendOnly(this.#client, statement);
    const client = this.#client ?? (await this.#join(isPlainRead(statement) ? "share" : "take"));
    const { command, rowCount, rows } = await this.#send<R>(client, statement);
    const changes = command !== "SELECT" && rowCount !== null;
    return { rows, ...(changes && { numAffectedRows: BigInt(rowCount) }) };
  }

  /** A statement by itself is a transaction of its own, and as such begins anew after a collision. */
  async #send<R>(client: Client, statement: CompiledQuery): ReturnType<typeof client.send<R>> {
    if (this.#inTransaction) return this.#sendOnce<R>(client, statement);
    return againAfterCollisions(() => this.#sendOnce<R>(client, statement));
  }

  async #sendOnce<R>(client: Client, { sql, parameters }: CompiledQuery): ReturnType<typeof client.send<R>> {
    try {
      return await client.send<R>(sql, parameters);
    } catch (error) {
      const fault = client.faultOf(this.#failure ?? error);
      if (this.#inTransaction && fault instanceof Collision) this.#failure ??= error;
      throw fault;
    }
  }

  #sendOnly<R>(client: Client, { sql, parameters }: CompiledQuery): PipelinedResult<R> {
    const later = client.send<R>(sql, parameters).then(
      ({ rows }) => rows,
      (error: Error) => {
        this.#failure ??= error;
        throw client.faultOf(error);
      },
    );
    // Mostly nobody asks; what comes next in the transaction fails for the same reason.
    later.catch(() => undefined);
    return { rows: [], later };
  }

  // oxlint-disable-next-line require-yield -- Kysely asks for it, and nobody here reads row by row
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    await Promise.reject(new Error("Rows are not read one by one on PostgreSQL."));
  }

  /** The answer is not waited for: without a transaction the first statement in it fails as well. */
  async begin(): Promise<void> {
    const client = this.#client ?? (await this.#join("take"));
    this.#inTransaction = true;
    client.send("begin").catch(() => undefined);
  }

  /** PostgreSQL takes a commit after a failure for a rollback, and says so. */
  async commit(): Promise<void> {
    const client = this.#client!;
    const { command } = await client.send("commit").catch((error: unknown) => {
      throw client.faultOf(this.#failure ?? error);
    });
    if (command === "ROLLBACK") throw client.faultOf(this.#failure ?? new AbortedTransactionError());
  }

  /** Without an answer there is nothing left to undo, and whoever waits hears why it came to this. */
  async rollback(): Promise<void> {
    this.#broken = true;
    await this.#client!.send("rollback").then(
      () => (this.#broken = false),
      () => undefined,
    );
  }

  release(): void {
    this.#client?.leave(this.#broken);
    if (this.#isOwn) this.#engine.leave();
    this.#isOwn = this.#inTransaction = false;
    this.#broken = false;
    this.#client = this.#failure = undefined;
  }

  async #join(how: "share" | "take"): Promise<Client> {
    this.#client = await (how === "take" ? this.#engine.take() : this.#readsFrom.share());
    this.#isOwn = how === "take";
    this.#client.join();
    return this.#client;
  }
}
