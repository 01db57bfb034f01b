import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** The hashtags that channels follow (decision 84); `term_key` is that of terms. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "followed_tag", [
    ["id", "id"],
    ["big", "uid"],
    ["text", "term term_key"],
    ["date", "created"],
  ]);
  await createIndexes(db, {
    followed_tag_unique: "followed_tag (uid, term_key)",
    followed_tag_by_term: "followed_tag (term_key, uid)",
  });
}
