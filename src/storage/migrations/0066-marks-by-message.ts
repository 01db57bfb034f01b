import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes } from "./columns.ts";

/** What a message is marked with is found by the message, however many others have the same mark (decision 87). */
export async function up(db: Kysely<unknown>, _engine: Engine): Promise<void> {
  await sql.raw("drop index iconfig_message").execute(db);
  await createIndexes(db, { iconfig_message: "iconfig (message_id, uid, cat, k)" });
}
