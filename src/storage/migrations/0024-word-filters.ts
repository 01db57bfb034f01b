import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** The words of which a channel wants to read nothing, or only when it opens them (federation contract 13). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "word_filter", [
    ["id", "id"],
    ["big", "uid"],
    ["text", "phrase needle"],
    ["flag", "whole_words hides"],
    ["date", "created"],
  ]);
  await createIndexes(db, { word_filter_unique: "word_filter (uid, phrase)" });
}
