import { sql } from "kysely";
import type { Kysely } from "kysely";

/** Which languages a browser asks for that is told of notices (decision 95). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("alter table push_subscription add column language text not null default ''").execute(db);
}
