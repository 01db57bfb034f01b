import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** What those who run the hub did about people, and why. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "moderation", [
    ["id", "id"],
    ["big", "report_id moderator_id person_id"],
    ["text", "measure"],
    ["empty", "note"],
    ["date", "created"],
  ]);
  await createIndexes(db, { moderation_report: "moderation (report_id, id)" });
}
