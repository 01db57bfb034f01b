import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** Follows that channels have sent, however they came to that; those of lists were counted by themselves (decision 96). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "sent_follow", [
    ["id", "id"],
    ["big", "uid"],
    ["date", "sent"],
  ]);
  await createIndexes(db, { sent_follow_uid: "sent_follow (uid, sent)", sent_follow_sent: "sent_follow (sent)" });
  await sql
    .raw(
      `insert into sent_follow (uid, sent) select uid, followed from list_import_entry where followed > '0001-01-01 00:00:00'`,
    )
    .execute(db);
  await sql.raw("drop index list_import_entry_followed").execute(db);
  await sql.raw("alter table list_import_entry drop column followed").execute(db);
}
