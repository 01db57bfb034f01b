import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";

/** What the bytes of files and pictures are known by; those of before have none (decision 96). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === "postgres" ? 'text collate "C"' : "text";
  for (const table of ["attach", "photo"])
    await sql.raw(`alter table ${table} add column sha256 ${text} not null default ''`).execute(db);
}
