import type { Kysely } from "kysely";
import { createIndexes } from "./columns.ts";

/** The few texts that some people keep as they were are found without a walk through all messages (decision 165). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndexes(db, { message_kept: "message (id) where version < 0" });
}
