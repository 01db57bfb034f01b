import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** Names of drafts that were posted, so that what a browser still had on its way does not bring them back. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(
    db,
    engine,
    "posted_sketch",
    [
      ["big", "uid"],
      ["text", "name"],
      ["date", "posted"],
    ],
    ["primary key (uid, name)"],
  );
  await createIndexes(db, { posted_sketch_posted: "posted_sketch (posted)" });
}
