import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** Addresses to which channels have events told, and what was told there (decision 109). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "webhook", [
    ["id", "id"],
    ["big", "uid"],
    ["text", "url events secret"],
    ["flag", "of_items is_on failures"],
    ["zero", "resting_until"],
    ["date", "created"],
  ]);
  await createTable(db, engine, "webhook_delivery", [
    ["id", "id"],
    ["big", "webhook_id subject"],
    ["text", "name event state"],
    ["flag", "attempts turn status"],
    ["empty", "error"],
    ["date", "created"],
    ["zero", "tried"],
  ]);
  await createIndexes(db, {
    webhook_uid: "webhook (uid)",
    webhook_delivery_last: "webhook_delivery (webhook_id, id)",
    webhook_delivery_unique: "webhook_delivery (name)",
    webhook_delivery_created: "webhook_delivery (created)",
  });
}
