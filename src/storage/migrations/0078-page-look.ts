import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";

/** How the pages of an account look, by its own choice (decision 101). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === "postgres" ? 'text collate "C"' : "text";
  for (const column of ["account_theme", "account_text_size"])
    await sql.raw(`alter table account add column ${column} ${text} not null default ''`).execute(db);
}
