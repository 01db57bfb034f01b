import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** Direct threads are listed beside conversations by message, and notices go out to applications (mastodon contract 11.21 and 15). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await sql.raw("alter table item add column item_direct integer not null default 0").execute(db);
  const marked = "select message_id from iconfig where uid = 0 and cat = 'mastodon' and k = 'direct'";
  await sql
    .raw(`update item set item_direct = 1 where message_id in (${marked}) and item_thread_top = 1 and item_private = 1`)
    .execute(db);
  await sql.raw("update iconfig set sharing = 1 where uid = 0 and cat = 'mastodon' and k = 'direct'").execute(db);
  await createTable(db, engine, "push_subscription", [
    ["id", "id"],
    ["big", "uid"],
    ["flag", "token_id"],
    ["empty", "session"],
    ["text", "endpoint p256dh auth alerts policy"],
    ["flag", "standard failures"],
    ["empty", "secret last_error"],
    ["date", "created"],
  ]);
  await createIndexes(db, {
    item_direct: "item (uid, commented, id) where item_direct = 1",
    push_subscription_token_unique: "push_subscription (token_id) where token_id > 0",
    push_subscription_session_unique: "push_subscription (session) where session <> ''",
    push_subscription_uid: "push_subscription (uid)",
  });
}
