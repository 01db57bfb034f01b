import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createTable } from "./columns.ts";

/** How far changes are that take too long for a migration (decision 124). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(
    db,
    engine,
    "long_step",
    [
      ["text", "name"],
      ["big", "first_id next_id last_id"],
      ["date", "begun"],
    ],
    ["primary key (name)"],
  );
}
