import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** Filters have titles, places where they count, an end, and several words and posts (mastodon contract 11.19). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "filter", [
    ["id", "id"],
    ["big", "uid"],
    ["text", "title action"],
    ["flag", "at_home at_notifications at_public at_thread at_account ended"],
    ["zero", "ends"],
    ["date", "created"],
  ]);
  await createTable(db, engine, "filter_status", [
    ["id", "id"],
    ["big", "uid filter_id message_id item_id"],
  ]);
  // Each word that was filtered is a filter of its own, as it was until now: everywhere but among notices.
  await sql
    .raw(
      `insert into filter (id, uid, title, action, at_home, at_public, at_thread, at_account, created)
      select id, uid, phrase, case hides when 1 then 'hide' else 'warn' end, 1, 1, 1, 1, created from word_filter`,
    )
    .execute(db);
  if (engine === "postgres")
    await sql
      .raw("select setval(pg_get_serial_sequence('filter', 'id'), coalesce(max(id), 0) + 1) from filter")
      .execute(db);
  await sql.raw("alter table word_filter add column filter_id bigint not null default 0").execute(db);
  await sql.raw("update word_filter set filter_id = id").execute(db);
  await sql.raw("drop index word_filter_unique").execute(db);
  await sql.raw("alter table word_filter drop column hides").execute(db);
  await createIndexes(db, {
    filter_owner: "filter (uid, id)",
    filter_ends: "filter (ends) where ended = 0",
    word_filter_owner: "word_filter (uid, id)",
    word_filter_unique: "word_filter (filter_id, phrase)",
    filter_status_unique: "filter_status (filter_id, message_id)",
    filter_status_owner: "filter_status (uid, message_id)",
  });
}
