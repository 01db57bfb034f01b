import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** What one activity, or one look-up, makes the hub ask of others is counted, through all its jobs (decision 100). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(
    db,
    engine,
    "fetch_budget",
    [
      ["text", "cause"],
      ["int", "asked"],
      ["date", "created"],
    ],
    ["primary key (cause)"],
  );
  await createIndexes(db, { fetch_budget_created: "fetch_budget (created)" });
  const text = engine === "postgres" ? `text collate "C"` : "text";
  await sql.raw(`alter table job add column cause ${text} not null default ''`).execute(db);
}
