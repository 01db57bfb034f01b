import { sql } from "kysely";
import type { Kysely } from "kysely";

/** Whether something of elsewhere came from its author, or forwarded: then it is not handed on again (decision 116). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["foreign_document", "first_contact"])
    await sql.raw(`alter table ${table} add column forwarded integer not null default 0`).execute(db);
}
