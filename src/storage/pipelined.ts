import type { CompiledQuery } from "kysely";
import type { Database } from "./engine.ts";

/** Marks a statement for the drivers; those who have no use for it do not look at it. */
type Pipelined = CompiledQuery & { isPipelined?: true };

/**
 * Makes a change whose answer nobody needs. On PostgreSQL it leaves together with the next statement of the transaction,
 * and if it fails, so do that one and the transaction.
 */
export async function pipelined({ db }: { db: Database }, change: { compile(): CompiledQuery }): Promise<void> {
  const statement: Pipelined = { ...change.compile(), isPipelined: true };
  await db.executeQuery(statement);
}

/** Was it sent so? */
export function isPipelined(statement: Pipelined): boolean {
  return statement.isPipelined === true;
}
