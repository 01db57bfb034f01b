import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";

/** What a channel shows of itself has a date and a number, so that documents about it are made once for each change. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === "postgres" ? 'text collate "C"' : "text";
  await sql.raw(`alter table channel add column channel_updated ${text} not null default ''`).execute(db);
  await sql.raw("alter table channel add column channel_revision integer not null default 0").execute(db);
  await sql.raw("update channel set channel_updated = channel_created").execute(db);
}
