import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes } from "./columns.ts";

/** Whether something private in a thread is unread is found without walking the thread (decision 95). */
export async function up(db: Kysely<unknown>, _engine: Engine): Promise<void> {
  await createIndexes(db, { item_unread: "item (parent) where item_unseen = 1 and item_private = 1" });
}
