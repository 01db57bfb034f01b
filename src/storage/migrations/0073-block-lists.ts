import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** Lists of blocked domains that others keep and the site follows, and what they say (decision 96). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "block_list", [
    ["id", "id"],
    ["text", "url"],
    ["flag", "reviewed"],
    ["empty", "fault"],
    ["date", "created asked fetched"],
  ]);
  await createTable(
    db,
    engine,
    "listed_block",
    [
      ["big", "list_id"],
      ["text", "domain level"],
      ["flag", "no_media taken"],
      ["empty", "public_comment"],
    ],
    ["primary key (list_id, domain, taken)"],
  );
  await createIndexes(db, { block_list_unique: "block_list (url)" });
}
