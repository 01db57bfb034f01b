import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** Whom private messages of elsewhere name, and what is being fetched of threads (federation contract 6.3, 6.6). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(
    db,
    engine,
    "addressed_to",
    [
      ["big", "message_id"],
      ["text", "person"],
    ],
    ["primary key (message_id, person)"],
  );
  await createTable(db, engine, "thread_fetch", [
    ["big", "message_id"],
    ["date", "started"],
    ["zero", "ended"],
    ["int", "came"],
  ]);
  await createIndexes(db, { thread_fetch_unique: "thread_fetch (message_id)" });
}
