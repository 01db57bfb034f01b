import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** What somebody is about to post: texts that are not sent yet, files that no post has used yet, and posts that wait for their date. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "sketch", [
    ["id", "id"],
    ["big", "uid"],
    ["text", "name place fields"],
    ["date", "created changed"],
  ]);
  await createTable(db, engine, "unattached", [
    ["id", "id"],
    ["big", "uid"],
    ["text", "hash"],
    ["date", "kept_until"],
  ]);
  await createIndexes(db, {
    sketch_unique: "sketch (uid, name)",
    sketch_uid: "sketch (uid, changed, id)",
    sketch_changed: "sketch (changed)",
    unattached_unique: "unattached (uid, hash)",
    unattached_until: "unattached (kept_until)",
    item_delayed: "item (uid, author_id, created, id) where item_delayed = 1",
  });
}
