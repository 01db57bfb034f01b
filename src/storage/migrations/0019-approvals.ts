import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** Which posts of elsewhere may quote what people of this hub wrote (federation contract 7). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "approval", [
    ["id", "id"],
    ["text", "uuid quoting"],
    ["big", "message_id person_id"],
    ["date", "created"],
    ["zero", "revoked"],
  ]);
  await createIndexes(db, {
    approval_unique: "approval (message_id, quoting)",
    approval_uuid_unique: "approval (uuid)",
  });
}
