import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";

/** What a message said before an edit has the poll that it was; empty where nobody knows, as in those kept so far. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const collation = engine === "postgres" ? ' collate "C"' : "";
  await sql.raw(`alter table message_version add column question text${collation} not null default ''`).execute(db);
}
