import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Tables } from "../../../storage/tables/index.ts";

/** A channel that is gone: its id, and that of its identity. */
export type Gone = { channel: number; xchan: number };

/** Rows that are nobody's but one channel's, and go with it. Each area names its own. */
export type Belonging = {
  table: keyof Tables;
  /** It says who has to be told that the channel is gone, so it goes a day later. */
  later?: boolean;
  isTheirs: (gone: Gone) => RawBuilder<SqlBool>;
};

/** Those of a table that name the channel in this column. */
export function rowsOf<Table extends keyof Tables>(
  table: Table,
  column: keyof Tables[Table] & string,
  { later = false } = {},
): Belonging {
  return { table, later, isTheirs: ({ channel }) => sql<SqlBool>`${sql.ref(column)} = ${channel}` };
}
