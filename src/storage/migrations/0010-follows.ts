import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes } from "./columns.ts";

/** Follows between hubs have ids: of the one that the channel sent, and of the one that it got (federation contract 1.5). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === "postgres" ? 'text collate "C"' : "text";
  for (const column of ["follow_out_id", "follow_in_id"])
    await sql.raw(`alter table abook add column ${column} ${text} not null default ''`).execute(db);
  await createIndexes(db, { abook_follow_out: "abook (follow_out_id) where follow_out_id <> ''" });
}
