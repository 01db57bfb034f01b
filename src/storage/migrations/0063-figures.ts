import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** What the hub was like, hour by hour (decision 89). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(
    db,
    engine,
    "figure",
    [
      ["text", "name"],
      ["date", "moment"],
      ["big", "n total most"],
    ],
    ["primary key (name, moment)"],
  );
  await createIndexes(db, { figure_moment: "figure (moment)" });
}
