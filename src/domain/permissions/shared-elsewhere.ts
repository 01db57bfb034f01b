import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";

/**
 * May everybody know of a message that repeats another, and stands on no wall, because somebody elsewhere wrote it who is not deleted?
 * All copies of one are for the same readers; one of which there are none is kept for the author of what it repeats, and is public.
 */
export function sharesOpenlyElsewhere(message: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(exists (select 1 from actor join xchan on xchan.xchan_id = actor.xchan_id
      where actor.xchan_id = ${sql.ref(`${message}.author_id`)} and xchan.xchan_deleted = 0 limit 1 offset 0)
    and coalesce((select copy.item_private from item copy where copy.message_id = ${sql.ref(`${message}.id`)} limit 1), 0) = 0)`;
}
