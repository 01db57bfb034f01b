import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";

/** What reports are about. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === "postgres" ? 'text collate "C"' : "text";
  await sql.raw(`alter table report add column category ${text} not null default 'other'`).execute(db);
  await sql.raw(`alter table report add column rules ${text} not null default '[]'`).execute(db);
}
