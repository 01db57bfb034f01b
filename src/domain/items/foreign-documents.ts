import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";

/** Messages of elsewhere as they came: whoever gets them handed on gets the same bytes (federation contract 4.1, 6.2). */

/** Keeps the document of a message, or its newest version. Part of a transaction. */
export async function keepDocument(hub: Hub, messageId: number, document: string): Promise<void> {
  await hub.db
    .insertInto("foreign_document")
    .values({ message_id: messageId, document })
    .onConflict((conflict) => conflict.column("message_id").doUpdateSet({ document }))
    .execute();
}

/** The document of a message; undefined for what was written here. */
export async function findDocument(hub: Hub, messageId: number): Promise<string | undefined> {
  const row = await hub.db
    .selectFrom("foreign_document")
    .select("document")
    .where("message_id", "=", messageId)
    .executeTakeFirst();
  return row?.document;
}

/** Forgets the documents of messages that go. */
export async function forgetDocuments(hub: Hub, messages: readonly number[]): Promise<void> {
  await hub.db
    .deleteFrom("foreign_document")
    .where(isOneOf(hub.engine, sql.ref("message_id"), messages))
    .execute();
}
