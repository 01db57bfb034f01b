import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { compiledQuery } from "../../storage/compiled-query.ts";
import { pipelined } from "../../storage/pipelined.ts";
import { inPieces, isOneOf } from "../../storage/sql.ts";
import { comparableId } from "../identity/xchans/foreign-ids.ts";

/** Messages of elsewhere as they came: whoever gets them handed on gets the same bytes (federation contract 4.1, 6.2). */

/** How something came. */
export type Came = {
  /** As it came, in JSON; empty for what was only asked for, which is handed on to nobody. */
  document: string;
  /** Not its author's hub has brought it, or it was found: it is not handed on again (federation contract 6.2). */
  isForwarded: boolean;
};

/** Keeps the document of a message, or its newest version; an empty one is none. Part of a transaction. */
export async function keepDocument(hub: Hub, messageId: number, { document, isForwarded }: Came): Promise<void> {
  if (document === "") return;
  const row = { message_id: messageId, document, forwarded: isForwarded ? 1 : 0 };
  const statement = compiledQuery(hub, "foreign document", row, (slots) =>
    hub.db
      .insertInto("foreign_document")
      .values(slots)
      .onConflict((conflict) =>
        conflict.column("message_id").doUpdateSet({ document: slots.document, forwarded: slots.forwarded }),
      ),
  );
  await pipelined(hub, statement);
}

/** How a message came; undefined for what was written here. */
export async function findCame(hub: Hub, messageId: number): Promise<Came | undefined> {
  const row = await hub.db
    .selectFrom("foreign_document")
    .select(["document", "forwarded"])
    .where("message_id", "=", messageId)
    .executeTakeFirst();
  return row && { document: row.document, isForwarded: row.forwarded === 1 };
}

/** So many of those whom a private message names are known by it. */
const mostAddressed = 5000;

/**
 * Keeps whom a private message names, by their ids: they read what people here say about it (federation contract 6.3). Part of a
 * transaction.
 */
export async function keepAddressed(hub: Hub, message_id: number, ids: readonly string[]): Promise<void> {
  const people = [...new Set(ids.map(comparableId))].slice(0, mostAddressed);
  for (const piece of inPieces(people))
    await hub.db
      .insertInto("addressed_to")
      .values(piece.map((person) => ({ message_id, person })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** Forgets how a message came, because it says more than the message may. Part of a transaction. */
export async function forgetDocument(hub: Hub, messageId: number): Promise<void> {
  await hub.db.deleteFrom("foreign_document").where("message_id", "=", messageId).execute();
}

/** Forgets the documents of messages that go, whom they named, and who may quote them. */
export async function forgetDocuments(hub: Hub, messages: readonly number[]): Promise<void> {
  for (const table of ["foreign_document", "addressed_to", "thread_fetch", "approval"] as const)
    await hub.db
      .deleteFrom(table)
      .where(isOneOf(hub.engine, sql.ref("message_id"), messages))
      .execute();
}
