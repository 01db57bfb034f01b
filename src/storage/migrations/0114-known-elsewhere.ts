import { sql } from "kysely";
import type { Kysely } from "kysely";
import { createIndexes } from "./columns.ts";

/**
 * The site's own channel keeps copies of what is public elsewhere for all who have a channel here (decision 162). What a forum has on its
 * wall is found by its message.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndexes(db, { item_forum: "item (message_id) where item_uplink = 1" });
  await sql`insert into config (uid, cat, k, v, updated)
    select channel_id, 'perm_limits', 'view_stream', '4', channel_created from channel
    where channel_system = 1 on conflict (uid, cat, k) do nothing`.execute(db);
}
