import { PostgresDialect } from "kysely";
import type { Dialect, PostgresPool, PostgresPoolClient } from "kysely";
import type pg from "pg";

/** Kysely on PostgreSQL. Each distinct statement is prepared once per connection. */
export function postgresDialect(url: string): Dialect {
  return new PostgresDialect({ pool: () => openPool(url) });
}

/** The client is loaded here, because a hub on SQLite has no use for it. */
async function openPool(url: string): Promise<PostgresPool> {
  const { Pool, types } = (await import("pg")).default;
  const pool = new Pool({
    connectionString: url,
    max: 10,
    application_name: "hubbub",
    types: { getTypeParser: numbersForIds(types) },
  });
  // A connection that the server ends while idle is replaced at the next use.
  pool.on("error", () => undefined);
  const names = new StatementNames();
  // One for each connection, whoever borrows it: Kysely too remembers what it knows of a client.
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect();
      const known = clients.get(client) ?? prepared(client, names);
      clients.set(client, known);
      return known;
    },
    end: () => pool.end(),
  };
}

type Types = typeof pg.types;

/** Ids and counts are numbers here; they stay below 2^53 (microblog contract 1.1). */
function numbersForIds(types: Types): Types["getTypeParser"] {
  const parser = (oid: Parameters<Types["getTypeParser"]>[0], format: "text"): unknown =>
    oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format);
  return parser as Types["getTypeParser"];
}

function prepared(client: pg.PoolClient, names: StatementNames): PostgresPoolClient {
  const query = client.query.bind(client) as (config: unknown) => Promise<unknown>;
  return new Proxy(client, {
    get(target, property) {
      if (property === "query") {
        return (text: unknown, values?: unknown[]) =>
          typeof text === "string" ? query({ text, values, ...names.of(text) }) : query(text);
      }
      const value: unknown = Reflect.get(target, property);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
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
