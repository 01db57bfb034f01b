import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** What strangers write to channels that want to be asked first waits here, and is nowhere else (decision 100). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "first_contact", [
    ["id", "id"],
    ["big", "uid author_id"],
    ["text", "mid"],
    ["flag", "is_private let_in"],
    ["text", "plain document"],
    ["date", "received"],
  ]);
  await createIndexes(db, {
    first_contact_unique: "first_contact (uid, mid)",
    first_contact_mid: "first_contact (mid)",
    first_contact_author: "first_contact (author_id)",
    first_contact_received: "first_contact (received)",
  });
}
