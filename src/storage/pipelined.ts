import type { CompiledQuery, QueryResult } from "kysely";
import type { Database } from "./engine.ts";

/** Marks a statement for the drivers; those who have no use for it do not look at it. */
type Pipelined = CompiledQuery & { isPipelined?: true };

/** What a driver answers before the database has. */
export type PipelinedResult<Row> = QueryResult<Row> & { later?: Promise<Row[]> };

/**
 * Makes a change whose answer nobody needs. On PostgreSQL it leaves together with the next statement of the transaction,
 * and if it fails, so do that one and the transaction.
 */
export async function pipelined(
  hub: { db: Database },
  change: CompiledQuery | { compile(): CompiledQuery },
): Promise<void> {
  await pipelinedRows(hub, "compile" in change ? change.compile() : change);
}

/** The same for a change whose rows are needed later: they are answered when they are asked for. */
export async function pipelinedRows<Row>(
  { db }: { db: Database },
  change: CompiledQuery<Row>,
): Promise<() => Promise<Row[]>> {
  const statement: Pipelined = { ...change, isPipelined: true };
  const { rows, later }: PipelinedResult<Row> = await db.executeQuery<Row>(statement);
  return async () => later ?? rows;
}

/** Was it sent so? */
export function isPipelined(statement: Pipelined): boolean {
  return statement.isPipelined === true;
}
