import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** Which messages show a file that has the audience of what shows it (decision 85); one of both ids is 0. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "message_file", [
    ["id", "id"],
    ["big", "uid"],
    ["text", "hash"],
    ["big", "message_id mail_id"],
  ]);
  await createIndexes(db, {
    message_file_unique: "message_file (uid, hash, message_id, mail_id)",
    message_file_message: "message_file (message_id)",
    message_file_mail: "message_file (mail_id)",
  });
}
