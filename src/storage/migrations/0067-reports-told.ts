import { sql } from "kysely";
import type { Kysely } from "kysely";

/** Notices to those who run the hub say which report they are about (decision 94). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("alter table notify add column report_id integer not null default 0").execute(db);
}
