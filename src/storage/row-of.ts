import type { SelectType } from "kysely";
import type { Tables } from "./tables/index.ts";

/** Every column, as `table.column`. */
export type ColumnName = { [Table in keyof Tables]: `${Table}.${keyof Tables[Table] & string}` }[keyof Tables];

/** What a query answers that selects these columns: a list of columns and the type of its rows have one source. */
export type RowOf<Columns extends readonly ColumnName[]> = {
  [Column in Columns[number] as NameIn<Column>]: ValueIn<Column>;
};

type NameIn<Column> = Column extends `${string}.${infer Name}` ? Name : never;

type ValueIn<Column> = Column extends `${infer Table extends keyof Tables}.${infer Name}`
  ? Name extends keyof Tables[Table]
    ? SelectType<Tables[Table][Name]>
    : never
  : never;
