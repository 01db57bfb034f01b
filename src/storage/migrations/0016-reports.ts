import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** What people here and other hubs complain of to those who run this one (federation contract 1.6). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "report", [
    ["id", "id"],
    ["text", "flag_id comment messages"],
    ["empty", "host note"],
    ["big", "reporter_id person_id"],
    ["flag", "forwarded closed_by"],
    ["date", "created"],
    ["zero", "closed"],
  ]);
  await createIndexes(db, {
    report_flag_unique: "report (flag_id)",
    report_open: "report (id) where closed = '0001-01-01 00:00:00'",
    report_closed: "report (closed, id)",
    report_host: "report (host, created)",
    report_reporter: "report (reporter_id, created)",
  });
}
