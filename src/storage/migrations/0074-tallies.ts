import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** What all processes of a hub count together to refuse what comes too often (decision 97). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(
    db,
    engine,
    "tally",
    [
      ["text", "key"],
      ["big", "count ends_at last_at"],
    ],
    ["primary key (key)"],
  );
  await createIndexes(db, { tally_ends_at: "tally (ends_at)" });
}
