import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** What pages say of themselves that messages link to; what pictures look like before they are there; former versions of messages. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "link_card", [
    ["id", "id"],
    ["text", "digest url host"],
    ["empty", "kind title description site author language picture picture_text blurhash"],
    ["flag", "width height"],
    ["zero", "again"],
  ]);
  await createTable(db, engine, "message_link", [["big", "message_id card_id"]], ["primary key (message_id)"]);
  await createTable(db, engine, "message_version", [
    ["id", "id"],
    ["big", "message_id"],
    ["int", "revision item_nsfw"],
    ["date", "written"],
    ["text", "title summary html attach"],
  ]);
  await createIndexes(db, {
    link_card_digest_unique: "link_card (digest)",
    link_card_again: "link_card (again)",
    message_link_card: "message_link (card_id)",
    message_former_version_unique: "message_version (message_id, revision)",
  });
  const text = engine === "postgres" ? 'text collate "C"' : "text";
  const add = (table: string, column: string, kind: string): Promise<unknown> =>
    sql.raw(`alter table ${table} add column ${column} ${kind}`).execute(db);
  await add("photo", "blurhash", `${text} not null default ''`);
  await add("photo", "focus", `${text} not null default ''`);
  await add("remote_media", "blurhash", `${text} not null default ''`);
  // Those that want one.
  await createIndexes(db, { photo_unhashed: "photo (id) where blurhash = '' and imgscale = 3" });
  for (const side of ["width", "height"]) await add("remote_media", side, "integer not null default 0");
}
