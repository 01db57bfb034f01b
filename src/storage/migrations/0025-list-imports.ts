import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** Lists of people and servers that channels bring along from elsewhere, and what becomes of each entry (federation contract 11). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "list_import", [
    ["id", "id"],
    ["big", "uid"],
    ["text", "kind state filename"],
    ["int", "turn"],
    ["date", "created updated"],
    ["zero", "goes_on"],
  ]);
  await createTable(db, engine, "list_import_entry", [
    ["id", "id"],
    ["big", "list_id uid"],
    ["text", "name state"],
    ["empty", "reason"],
    ["flag", "tries"],
    ["zero", "next_at looked followed"],
  ]);
  await createIndexes(db, {
    list_import_uid: "list_import (uid, id)",
    list_import_updated: "list_import (updated)",
    list_import_entry_state: "list_import_entry (list_id, state, next_at, id)",
    list_import_entry_looked: "list_import_entry (uid, looked)",
    list_import_entry_followed: "list_import_entry (uid, followed)",
  });
}
