import type { ColumnName, RowOf } from "./row-of.ts";

/** Makes a row of the values of its columns, in their order. */
export type RowMaker = (values: readonly unknown[]) => Record<string, unknown>;

/**
 * What makes the rows of one statement. It is written as code for these columns, since V8 gives such objects one shape from
 * the start: making them column by column takes twenty times as long, and so do dictionaries to whoever reads them. The names
 * are those of the program's own statements; where two columns share one, the last wins.
 */
export function rowMaker(names: readonly string[]): RowMaker {
  const fields = names.map((name, at) => `${JSON.stringify(name)}: values[${at}]`);
  // oxlint-disable-next-line no-implied-eval, no-new-func, typescript/no-implied-eval -- the names are quoted, and they are our own
  return new Function("values", `return { ${fields.join(", ")} };`) as RowMaker;
}

/** What takes these columns out of rows that have more: into objects of one shape, by code of its own as well. */
export function columnsOf<Columns extends readonly ColumnName[]>(
  columns: Columns,
): (row: RowOf<Columns>) => RowOf<Columns> {
  const names = columns.map((column) => column.slice(column.indexOf(".") + 1));
  const fields = names.map((name) => `${name}: row.${name}`);
  // oxlint-disable-next-line no-implied-eval, no-new-func, typescript/no-implied-eval -- the names are columns of our tables
  return new Function("row", `return { ${fields.join(", ")} };`) as (row: RowOf<Columns>) => RowOf<Columns>;
}
