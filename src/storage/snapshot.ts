import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import type { DatabaseSettings } from "../config/database.ts";
import { ownSessionOf } from "./postgres-sessions.ts";
import type { PostgresSettings } from "./postgres-sessions.ts";

/** A table in a snapshot: its columns without those that the database computes, and the last id that was given out. */
export type TableShape = { table: string; columns: string[]; lastId?: number };

/**
 * The whole database at one moment, for as long as the snapshot is open. Whoever writes meanwhile is not in the way,
 * and nobody waits for it.
 */
export type Snapshot = {
  tables(): Promise<TableShape[]>;
  /** The rows of a table, each a JSON array in the order of the columns; read as they are asked for. */
  rows(shape: TableShape): AsyncIterable<string>;
  close(): Promise<void>;
};

/** Opens a snapshot of a database that exists. */
export function openSnapshot(settings: DatabaseSettings): Promise<Snapshot> {
  return settings.engine === "sqlite" ? sqliteSnapshot(settings.file) : postgresSnapshot(settings);
}

/** What Kysely keeps about migrations is not content. */
const bookkeeping = "kysely_%";

function sqliteSnapshot(file: string): Promise<Snapshot> {
  if (!existsSync(file)) return Promise.reject(new Error(`There is no database ${file}`));
  const database = new DatabaseSync(file);
  database.exec("pragma busy_timeout = 10000; pragma query_only = on; begin");
  const column = (sql: string, ...values: string[]) =>
    database
      .prepare(sql)
      .all(...values)
      .map((row) => String(row["it"]));
  return Promise.resolve({
    tables: () => {
      const names = column(
        "select name as it from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%' and name not like ? order by name",
        bookkeeping,
      );
      return Promise.resolve(
        names.map((table) => ({
          table,
          // This pragma leaves computed columns out.
          columns: column("select name as it from pragma_table_info(?) order by cid", table),
          ...lastIdOf(column("select seq as it from sqlite_sequence where name = ?", table)[0]),
        })),
      );
    },
    // oxlint-disable-next-line typescript/require-await -- the other engine needs to wait
    async *rows({ table, columns }) {
      const rows = database.prepare(`select json_array(${columns.map(quote).join(", ")}) as it from ${quote(table)}`);
      for (const row of rows.iterate()) yield String(row["it"]);
    },
    close: () => Promise.resolve(database.close()),
  });
}

async function postgresSnapshot(settings: PostgresSettings): Promise<Snapshot> {
  const client = new pg.Client(ownSessionOf(settings, "hubbub backup"));
  // Statements under way fail by themselves.
  client.on("error", () => undefined);
  await client.connect();
  await client.query("begin isolation level repeatable read read only");
  const query = async (sql: string, values: unknown[] = []) =>
    (await client.query<Record<string, unknown>>(sql, values)).rows;
  return {
    tables: async () =>
      (await query(postgresTables, [bookkeeping])).map((row) => ({
        table: String(row["name"]),
        columns: row["columns"] as string[],
        ...lastIdOf(row["last_id"]),
      })),
    async *rows({ table, columns }) {
      await query(
        `declare rows no scroll cursor for select json_build_array(${columns.map(quote).join(", ")})::text as it from ${quote(table)}`,
      );
      for (;;) {
        const some = await query("fetch 500 from rows");
        if (some.length === 0) break;
        for (const row of some) yield String(row["it"]);
      }
      await query("close rows");
    },
    close: () => client.end(),
  };
}

const postgresTables = `
  select c.relname as name, array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns,
    max(case when a.attidentity <> '' then
      pg_sequence_last_value(pg_get_serial_sequence(quote_ident(c.relname), a.attname)::regclass) end) as last_id
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and c.relname not like $1
    and c.relname not in ('search', 'search_range') -- Triggers fill the search index again.
    and a.attnum > 0 and not a.attisdropped
  group by c.relname order by c.relname`;

/** SQLite notes a zero where rows were to be inserted, and were none. */
function lastIdOf(value: unknown): { lastId?: number } {
  const lastId = Number(value ?? 0);
  return lastId === 0 ? {} : { lastId };
}

/** A name as both engines read it. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
