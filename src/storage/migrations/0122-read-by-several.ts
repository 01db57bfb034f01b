import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";

/** A message to several people says on each copy who else gets it (decision 180). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const collation = engine === "postgres" ? ' collate "C"' : "";
  await sql.raw(`alter table mail add column also_to text${collation} not null default ''`).execute(db);
  await sql.raw("create index mail_to_several on mail (channel_id, from_xchan) where also_to <> ''").execute(db);
}
