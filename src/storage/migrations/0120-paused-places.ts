import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { zeroDate } from "../sql.ts";

/** Since when nothing goes there, because the password of the account was changed (decision 174). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === "postgres" ? 'text collate "C"' : "text";
  for (const table of ["webhook", "archive_place"])
    await sql.raw(`alter table ${table} add column paused ${text} not null default '${zeroDate}'`).execute(db);
}
