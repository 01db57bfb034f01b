import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** Archives of channels at a place of their owner's (decision 111). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "archive_place", [
    ["id", "id"],
    ["big", "uid"],
    ["text", "kind address login region sealed every"],
    ["int", "keep"],
    ["date", "next_at"],
    ["empty", "under_way last_name reason detail"],
    ["flag", "sent failures"],
    ["zero", "last_done last_failed"],
  ]);
  await sql.raw(`alter table archive_place add column last_size bigint not null default 0`).execute(db);
  await createIndexes(db, {
    archive_place_unique: "archive_place (uid)",
    archive_place_due: "archive_place (next_at)",
  });
}
