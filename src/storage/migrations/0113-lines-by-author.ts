import type { Kysely } from "kysely";
import { createIndexes } from "./columns.ts";

/** What somebody has said in chatrooms is found among all lines when their channel is removed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndexes(db, { chat_line_author: "chat_line (author_id)" });
}
