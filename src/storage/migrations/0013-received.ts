import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes } from "./columns.ts";

/** What came from other hubs is kept as it came, and what was taken back there before it came is known for a while. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const [text, big] = engine === "postgres" ? ['text collate "C"', "bigint"] : ["text", "integer"];
  await sql.raw(`create table foreign_document (message_id ${big} primary key, document ${text} not null)`).execute(db);
  await sql.raw(`create table taken_back (id ${text} primary key, moment ${text} not null)`).execute(db);
  await createIndexes(db, {
    taken_back_moment: "taken_back (moment)",
    deleted_id_moment: "deleted_id (deleted)",
  });
}
