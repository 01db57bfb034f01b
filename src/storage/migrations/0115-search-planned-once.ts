import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";

/**
 * What brings items into the index of words on PostgreSQL gets them as an array, for which its two statements were planned anew each
 * time, at a quarter of what PostgreSQL does for a post: planning looks at all indexes of items. They reach items by their ids alone.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine !== "postgres") return;
  await sql.raw("alter function search_add(bigint[]) set plan_cache_mode = force_generic_plan").execute(db);
}
