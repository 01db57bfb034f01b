import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";

/** Names of people elsewhere have pictures in them (federation contract 4.2). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === "postgres" ? 'text collate "C"' : "text";
  await sql.raw(`alter table xchan add column xchan_emoji ${text} not null default ''`).execute(db);
}
