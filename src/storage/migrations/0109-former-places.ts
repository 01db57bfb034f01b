import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";

/** The id that a channel had where those of a list followed it (decision 137). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === "postgres" ? 'text collate "C"' : "text";
  await sql.raw(`alter table list_import add column former ${text} not null default ''`).execute(db);
}
