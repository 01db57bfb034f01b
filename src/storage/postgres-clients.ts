import { Socket } from "node:net";
import type pg from "pg";
import { DatabaseAway } from "../errors.ts";
import type { Pool } from "./dialects.ts";
import { faultOf, isFatal, isOutdated } from "./postgres-faults.ts";
import { preparedOn } from "./postgres-rows.ts";
import type { Prepared, TypeId } from "./postgres-rows.ts";
import { sessionOf } from "./postgres-sessions.ts";
import type { PostgresSettings } from "./postgres-sessions.ts";
import { Silence, cutOff } from "./postgres-silence.ts";
import type { BeginStatement } from "./statement-watch.ts";

/** The connections to a server, each for one at a time or for those who read together. */
export type Clients = { take(): Promise<Client>; end(): Promise<void>; pool(): Omit<Pool, "requests"> };

/** Seconds without an answer where nobody says how many. */
const usualSilence = 5;

/** Opens them as they are needed. A pooler takes no settings of a session, and gives each transaction another one. The library is loaded here, because a hub on SQLite has no use for it. */
export async function openClients(
  settings: PostgresSettings & { pool: number },
  begin: BeginStatement | undefined,
): Promise<Clients> {
  const { direct, pool: most, timeout = 0, silence: seconds = usualSilence } = settings;
  const isPooled = direct !== undefined;
  const { Pool: Connections, Query, types } = (await import("pg")).default;
  const getTypeParser = numbersForIds(types);
  const sockets = new Set<Socket>();
  const silence = new Silence(
    seconds,
    (signal) => whoIsAtWork(settings, signal),
    () => sockets.forEach(cutOff),
  );
  const open = (): Socket => {
    const socket = new WholeSocket();
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    if (silence.isSilent) setImmediate(() => cutOff(socket));
    return socket;
  };
  const pool = new Connections({
    ...sessionOf(settings, "hubbub"),
    max: most,
    // Compiling a plan takes far longer than any statement of a hub.
    ...(!isPooled && { options: `-c jit=off -c statement_timeout=${timeout}s` }),
    pipeline: true,
    stream: open,
    types: { getTypeParser },
  });
  // A connection that the server ends is replaced at the next use; statements under way on it fail by themselves.
  pool.on("error", () => undefined);
  const gone = new WeakSet<pg.PoolClient>();
  pool.on("connect", (client) => client.on("error", () => gone.add(client)));
  const names = new StatementNames(isPooled ? 0 : 1000);
  const readerOf = (type: TypeId) => getTypeParser(type, "text") as (text: string) => unknown;
  const prepared = new WeakMap<pg.PoolClient, Statements>();
  const statementsOf = (client: pg.PoolClient): Statements => {
    const known = prepared.get(client) ?? new Statements(names, () => preparedOn(Query, readerOf));
    prepared.set(client, known);
    return known;
  };
  return {
    async take() {
      const heard = silence.waitFor();
      const client = await pool
        .connect()
        .catch((cause: unknown) => {
          throw new DatabaseAway(cause);
        })
        .finally(heard);
      return new Client(client, statementsOf(client), gone, begin, silence);
    },
    async end() {
      const heard = silence.waitFor();
      await pool.end().finally(heard);
      silence.end();
    },
    pool: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  };
}

/** The processes of the server that have something to do. Behind a pooler nobody knows which is whose. */
async function whoIsAtWork(settings: PostgresSettings, signal: AbortSignal): Promise<(process: number) => boolean> {
  const { Client: Session } = (await import("pg")).default;
  const stream = new Socket();
  const session = new Session({ ...sessionOf(settings, "hubbub asks"), stream: () => stream });
  session.on("error", () => undefined);
  signal.addEventListener("abort", () => stream.destroy());
  await session.connect();
  const { rows } = await session.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and state not like 'idle%'",
  );
  const atWork = new Set(rows.map(({ pid }) => pid));
  return (process) => settings.direct !== undefined || atWork.has(process);
}

/** Sends what has been gathered as one buffer: the system takes longer over many small ones. */
class WholeSocket extends Socket {
  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), "buffer" as BufferEncoding, done);
  }
}

type Types = typeof pg.types;

/** Ids and counts are numbers here; they stay below 2^53 (microblog contract 1.1). */
function numbersForIds(types: Types): Types["getTypeParser"] {
  const parser = (oid: Parameters<Types["getTypeParser"]>[0], format: "text"): unknown =>
    oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format);
  return parser as Types["getTypeParser"];
}

/** A borrowed connection; the last who leaves gives it back. */
export class Client {
  readonly #client: pg.PoolClient;
  readonly #statements: Statements;
  readonly #gone: WeakSet<pg.PoolClient>;
  readonly #begin: BeginStatement | undefined;
  readonly #silence: Silence;
  #users = 0;
  #isCorked = false;

  constructor(
    client: pg.PoolClient,
    statements: Statements,
    gone: WeakSet<pg.PoolClient>,
    begin: BeginStatement | undefined,
    silence: Silence,
  ) {
    this.#client = client;
    this.#statements = statements;
    this.#gone = gone;
    this.#begin = begin;
    this.#silence = silence;
  }

  join(): void {
    this.#users += 1;
  }

  /** A broken connection is not used again. */
  leave(isBroken: boolean): void {
    this.#users -= 1;
    if (this.#users === 0) this.#client.release(isBroken || this.#gone.has(this.#client));
  }

  /** What it means that a statement failed; a connection that has come to its end is nobody's any more. */
  faultOf(error: unknown): unknown {
    if (isFatal(error)) this.#gone.add(this.#client);
    if (isOutdated(error)) this.#statements.forget();
    return faultOf(error, this.#gone.has(this.#client));
  }

  /**
   * Everything that is sent in the same turn leaves in one piece. Statements with parameters are prepared once. A statement takes until
   * its answer has come, so also as long as others that were sent before it.
   */
  send<R>(text: string, values?: readonly unknown[]): Promise<pg.QueryResult<R & pg.QueryResultRow>> {
    this.#cork();
    const [heard, over] = [this.#silence.waitFor(this.#client), this.#begin?.(text)];
    const end = (): void => {
      heard();
      over?.();
    };
    const name = values && this.#statements.nameOf(text);
    if (name === undefined) {
      const answer = this.#client.query<R & pg.QueryResultRow>(text, values as unknown[] | undefined);
      answer.then(end, end);
      return answer;
    }
    return new Promise((resolve, reject) => {
      const query = this.#statements.run({ text, name, values: values as unknown[] }, (error, result) => {
        end();
        if (error) reject(error);
        else resolve(result as pg.QueryResult<R & pg.QueryResultRow>);
      });
      this.#client.query(query);
    });
  }

  #cork(): void {
    if (this.#isCorked) return;
    const { stream } = this.#client.connection;
    stream.cork();
    this.#isCorked = true;
    process.nextTick(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }
}

/** The prepared statements of one connection. */
class Statements {
  readonly #names: StatementNames;
  readonly #make: () => Prepared;
  #generation = 0;
  #run: Prepared;

  constructor(names: StatementNames, make: () => Prepared) {
    this.#names = names;
    this.#make = make;
    this.#run = make();
  }

  nameOf(text: string): string | undefined {
    const name = this.#names.of(text);
    return name === undefined || this.#generation === 0 ? name : `${name}-${this.#generation}`;
  }

  get run(): Prepared {
    return this.#run;
  }

  /** From now on all of them are prepared anew. */
  forget(): void {
    this.#generation++;
    this.#run = this.#make();
  }
}

/** Short names for the statements seen so far; rare ones beyond the limit stay unprepared. */
class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  of(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= this.#most) return known;
    const name = `h${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }
}
