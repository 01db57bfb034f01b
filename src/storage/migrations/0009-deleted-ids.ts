import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";

/** What was deleted is remembered by its id, longer than its tombstone stays. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === "postgres" ? 'text collate "C"' : "text";
  await sql
    .raw(
      `create table deleted_id (id ${text} primary key, kind ${text} not null, deleted ${text} not null,
        was_public integer not null)`,
    )
    .execute(db);
}
