import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes } from "./columns.ts";

/** Notices that stand together, those that no list shows, and those that still go out by mail. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === "postgres" ? 'text collate "C"' : "text";
  await sql.raw(`alter table notify add column group_key ${text} not null default ''`).execute(db);
  await sql.raw("alter table notify add column listed integer not null default 1").execute(db);
  await sql.raw("alter table notify add column mail integer not null default 0").execute(db);
  await sql.raw("update notify set group_key = 'ungrouped-' || id").execute(db);
  await createIndexes(db, {
    notify_group: "notify (uid, group_key, created, id)",
    notify_listed: "notify (uid, created, id) where listed = 1",
    notify_to_mail: "notify (uid, mail, created, id) where mail > 0",
  });
}
