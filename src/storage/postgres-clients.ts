import { Socket } from "node:net";
import type pg from "pg";

/** The connections to a server, each for one at a time or for those who read together. */
export type Clients = { take(): Promise<Client>; end(): Promise<void> };

/** Opens them as they are needed. The library is loaded here, because a hub on SQLite has no use for it. */
export async function openClients(url: string): Promise<Clients> {
  const { Pool, types } = (await import("pg")).default;
  const pool = new Pool({
    connectionString: url,
    max: 10,
    application_name: "hubbub",
    // Compiling a plan takes far longer than any statement of a hub.
    options: "-c jit=off",
    pipeline: true,
    stream: () => new WholeSocket(),
    types: { getTypeParser: numbersForIds(types) },
  });
  // A connection that the server ends while idle is replaced at the next use.
  pool.on("error", () => undefined);
  const names = new StatementNames();
  return {
    take: async () => new Client(await pool.connect(), names),
    end: () => pool.end(),
  };
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
  readonly #names: StatementNames;
  #users = 0;
  #isCorked = false;

  constructor(client: pg.PoolClient, names: StatementNames) {
    this.#client = client;
    this.#names = names;
  }

  join(): void {
    this.#users += 1;
  }

  /** A broken connection is not used again. */
  leave(isBroken: boolean): void {
    this.#users -= 1;
    if (this.#users === 0) this.#client.release(isBroken);
  }

  /** Everything that is sent in the same turn leaves in one piece. Statements with parameters are prepared once. */
  send<R>(text: string, values?: readonly unknown[]): Promise<pg.QueryResult<R & pg.QueryResultRow>> {
    this.#cork();
    return this.#client.query(values ? { text, values: values as unknown[], ...this.#names.of(text) } : text);
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

/** Short names for the statements seen so far; rare ones beyond the limit stay unprepared. */
class StatementNames {
  readonly #names = new Map<string, string>();

  of(text: string): { name?: string } {
    const known = this.#names.get(text);
    if (known) return { name: known };
    if (this.#names.size >= 1000) return {};
    const name = `h${this.#names.size}`;
    this.#names.set(text, name);
    return { name };
  }
}
