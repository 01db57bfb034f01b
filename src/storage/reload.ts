import { CompiledQuery, sql } from "kysely";
import type { Database, Engine } from "./engine.ts";
import { quote } from "./snapshot.ts";
import type { TableShape } from "./snapshot.ts";

/** Drops these tables, the search indexes and what is known about migrations; part of a transaction. */
export async function dropTables(db: Database, tables: readonly TableShape[]): Promise<void> {
  const besides = ["search", "search_range", "mail_search", "kysely_migration", "kysely_migration_lock"];
  for (const table of [...tables.map((shape) => shape.table), ...besides]) {
    await db.schema.dropTable(table).ifExists().execute();
  }
}

/** Empties a table before it takes the rows of a snapshot: some have rows from the beginning. */
export async function emptyTable(db: Database, table: string): Promise<void> {
  await sql`delete from ${sql.table(table)}`.execute(db);
}

/** Takes rows of a snapshot into an empty table; part of a transaction. */
export async function insertRows(
  db: Database,
  engine: Engine,
  shape: TableShape,
  rows: readonly string[],
): Promise<void> {
  const into = `insert into ${quote(shape.table)} (${shape.columns.map(quote).join(", ")})`;
  if (engine === "sqlite") {
    // Row by row, because taking JSON apart in SQL is eight times slower.
    const one = `${into} values (${shape.columns.map(() => "?").join(", ")})`;
    for (const row of rows) await db.executeQuery(CompiledQuery.raw(one, JSON.parse(row) as unknown[]));
    return;
  }
  const types = await columnTypes(db, shape.table);
  const values = shape.columns.map((column, place) => `(row ->> ${place})::${types.get(column) ?? "text"}`);
  const all = `${into} select ${values.join(", ")} from jsonb_array_elements($1::jsonb) row`;
  await db.executeQuery(CompiledQuery.raw(all, [`[${rows.join(",")}]`]));
}

/** The next id of the table is beyond this one, and never one that was given out before. */
export async function raiseLastId(db: Database, engine: Engine, table: string, lastId: number): Promise<void> {
  if (engine === "sqlite") {
    await sql`update sqlite_sequence set seq = max(seq, ${lastId}) where name = ${table}`.execute(db);
    await sql`insert into sqlite_sequence (name, seq) select ${table}, ${lastId}
      where not exists (select 1 from sqlite_sequence where name = ${table})`.execute(db);
    return;
  }
  const sequence = sql<string>`(select pg_get_serial_sequence(quote_ident(${table}), attname::text)::regclass from pg_attribute
    where attrelid = quote_ident(${table})::regclass and attidentity <> '')`;
  await sql`select setval(${sequence}, greatest(${lastId}, 1), ${lastId > 0})`.execute(db);
}

async function columnTypes(db: Database, table: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; type: string }>`
    select attname::text as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = quote_ident(${table})::regclass and attnum > 0 and not attisdropped`.execute(db);
  return new Map(rows.map((row) => [row.name, row.type]));
}
