import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createTable } from "./columns.ts";

/** What is told to open pages and apps as it happens; it is read by its ids alone. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "live_event", [
    ["id", "id"],
    ["text", "told"],
    ["date", "created"],
  ]);
}
