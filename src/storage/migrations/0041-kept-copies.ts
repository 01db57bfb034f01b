import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";

/** Tops of threads that a channel has only because it liked or starred something there (mastodon contract 5.3). */
export async function up(db: Kysely<unknown>, _engine: Engine): Promise<void> {
  await sql.raw("alter table item add column item_kept integer not null default 0").execute(db);
}
