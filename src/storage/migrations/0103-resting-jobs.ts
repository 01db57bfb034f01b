import type { Kysely } from "kysely";
import { createIndexes } from "./columns.ts";

/** Jobs of extensions are found among all others: those that rest are counted whenever somebody looks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndexes(db, { job_of_extensions: "job (dead, name) where substr(name, 1, 2) = 'x/'" });
}
