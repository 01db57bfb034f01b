import { sql } from "kysely";
import type { Kysely } from "kysely";

/** Whether somebody of elsewhere lets their followers answer, by the default in their document (decision 130). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table actor add column followers_answer integer not null default 1`.execute(db);
}
