import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";

/** By which id somebody of elsewhere has blocked a channel; empty where they have not, and of blocks so far. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const collation = engine === "postgres" ? ' collate "C"' : "";
  await sql.raw(`alter table abook add column shut_out_id text${collation} not null default ''`).execute(db);
}
