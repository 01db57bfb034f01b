import { sql } from "kysely";
import type { Kysely } from "kysely";

/** Every account had this language, whoever had chosen it; now their browsers decide until somebody does (decision 88). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update account set account_language = '' where account_language = 'en'`.execute(db);
}
