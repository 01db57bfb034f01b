import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";

/** Which keys vouch for people elsewhere, and as which identity of other hubs of this kind they are known (decision 91). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === "postgres" ? 'text collate "C"' : "text";
  for (const column of ["subjects", "identity"])
    await sql.raw(`alter table actor add column ${column} ${text} not null default ''`).execute(db);
}
