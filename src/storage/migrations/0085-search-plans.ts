import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";

/**
 * What brings items into the index of words on PostgreSQL reaches them by their indexes. Plans are kept for as long as a connection,
 * and one from when there was next to nothing read all items for each row of an import.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine !== "postgres") return;
  for (const name of [
    "search_add(bigint[])",
    "search_item_changed()",
    "search_item_removed()",
    "search_message_changed()",
  ])
    await sql
      .raw(`alter function ${name} set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off`)
      .execute(db);
}
