import { sql } from "kysely";
import type { Expression, RawBuilder, SqlBool } from "kysely";
import type { Engine } from "./engine.ts";
import { detailOf } from "../errors.ts";

/** The few places where the two engines want different words. */

/** The unset date, as it is stored and as records show it (native contract 1.5). */
export const zeroDate = "0001-01-01 00:00:00";

/** A moment in the one form in which times are stored: UTC, whole seconds. */
export function sqlDate(moment: Date): string {
  return moment.toISOString().slice(0, 19).replace("T", " ");
}

/** The moment that a stored date names. */
export function fromSqlDate(date: string): Date {
  return new Date(`${date.replace(" ", "T")}Z`);
}

/** A condition as the number in which columns keep a yes or no. */
export function asFlag(condition: Expression<unknown>): RawBuilder<number> {
  return sql<number>`case when ${condition} then 1 else 0 end`;
}

/** Is this a date in the stored form, of a day that there is? */
export function isSqlDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return false;
  const moment = fromSqlDate(text);
  return !Number.isNaN(moment.getTime()) && sqlDate(moment) === text;
}

/**
 * `column in (values)` with one parameter, so that any number of values is the same prepared statement. The values may
 * be the slot of a remembered one; then `slotOf` says what is in it.
 */
export function isOneOf(
  engine: Engine,
  column: Expression<unknown>,
  values: readonly (number | string)[] | RawBuilder<readonly number[]> | RawBuilder<readonly string[]>,
  slotOf: "bigint" | "text" = "bigint",
): RawBuilder<SqlBool> {
  if (engine === "sqlite") {
    const list = "as" in values ? values : JSON.stringify(values);
    return sql<SqlBool>`${column} in (select value from json_each(${list}))`;
  }
  // How many there are is kept from the planner of remembered ones, which would else plan anew at every run.
  if ("as" in values) {
    const list = sql`${sql.raw(slotOf)}[]`;
    return sql<SqlBool>`${column} = any((select ${values}::${list})::${list})`;
  }
  // The type of no values at all cannot be told, and nothing is one of them.
  if (values.length === 0) return sql<SqlBool>`false`;
  const type = typeof values[0] === "string" ? sql`text[]` : sql`bigint[]`;
  return sql<SqlBool>`${column} = any(${values}::${type})`;
}

/** The ids of a list as rows with the column `id`; the list may be the slot of a compiled query. */
export function eachOf(
  engine: Engine,
  ids: readonly number[] | RawBuilder<readonly number[]>,
): RawBuilder<{ id: number }> {
  if (engine === "postgres") return sql<{ id: number }>`(select unnest((select ${ids}::bigint[])) as id)`;
  const list = "as" in ids ? ids : JSON.stringify(ids);
  return sql<{ id: number }>`(select value as id from json_each(${list}))`;
}

/** The ids that the next rows of a table get, for rows that name themselves in other columns too: one for each row of a select. */
export function freshIds(engine: Engine, table: "item"): RawBuilder<number> {
  return engine === "sqlite"
    ? sql<number>`coalesce((select seq from sqlite_sequence where name = ${sql.lit(table)}), 0) + row_number() over ()`
    : sql<number>`nextval(pg_get_serial_sequence(${sql.lit(table)}, 'id'))`;
}

/** How many rows go into one statement: each of their values is a parameter, and the engines count those. */
const together = 400;

/** Rows in pieces of which each is one statement, however many there are. */
export function inPieces<T>(rows: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / together) }, (_, at) =>
    rows.slice(at * together, (at + 1) * together),
  );
}

/** Does the text hold the part? No character of the part has a special meaning. */
export function contains(engine: Engine, text: Expression<unknown>, part: Expression<unknown>): RawBuilder<SqlBool> {
  return engine === "sqlite" ? sql<SqlBool>`instr(${text}, ${part}) > 0` : sql<SqlBool>`strpos(${text}, ${part}) > 0`;
}

/** Does a stored list such as `<a><b>` hold it? */
export function listHolds(engine: Engine, list: Expression<unknown>, one: Expression<unknown>): RawBuilder<SqlBool> {
  return contains(engine, list, sql`('<' || ${one} || '>')`);
}

/** The same as `wordsOnly` makes of it. */
export function spaced(engine: Engine, text: Expression<unknown>): RawBuilder<string> {
  if (engine === "sqlite") return sql<string>`words_only(${text})`;
  return sql<string>`(' ' || trim(regexp_replace(lower(${text} collate "und-x-icu"), '[^[:alnum:]]+', ' ', 'g')) || ' ')`;
}

/** The text folded for comparing without regard to case; SQLite's own `lower` knows only ASCII. */
export function folded(engine: Engine, text: Expression<unknown>): RawBuilder<string> {
  return engine === "sqlite" ? sql<string>`fold(${text})` : sql<string>`lower(${text} collate "und-x-icu")`;
}

/** What names are put in order by, as people look for them in a list: Åse stands among those with an A, whatever the case. */
export function inOrder(engine: Engine, name: RawBuilder<unknown>): RawBuilder<string> {
  return engine === "sqlite" ? sql<string>`in_order(${name})` : sql<string>`(lower(${name}) collate "und-x-icu")`;
}

/** A limit in a statement written by hand. SQLite prepares a statement anew when a parameter alone is its limit. */
export function bigLimit(engine: Engine, limit: RawBuilder<number>): RawBuilder<number> {
  return engine === "sqlite" ? sql<number>`0 + ${limit}` : sql<number>`${limit}::bigint`;
}

const duplicate = { postgres: "23505", sqlite: [1555, 2067] };

/** Has a change failed because something else has this unique key, perhaps only since a moment ago? */
export function isDuplicate(error: unknown): boolean {
  const errcode = Number(detailOf(error, "errcode"));
  return detailOf(error, "code") === duplicate.postgres || duplicate.sqlite.includes(errcode);
}

/**
 * The same slots, with some that PostgreSQL does not look at when it plans. Where a plan for one channel looks as good as one for all, whoever
 * comes first decides which it is, and to plan at every run may take longer than to run: so there is one plan.
 */
export function unseenByPlanner<Slots extends Partial<Record<Name, RawBuilder<number>>>, Name extends string>(
  engine: Engine,
  slots: Slots,
  names: readonly Name[],
): Slots {
  if (engine === "sqlite") return slots;
  const hidden = names.flatMap((name) => {
    const slot = slots[name];
    return slot ? [[name, sql<number>`(select ${slot}::bigint)`] as const] : [];
  });
  return { ...slots, ...Object.fromEntries<RawBuilder<number>>(hidden) };
}
