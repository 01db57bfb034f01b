import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createTable } from "./columns.ts";

/** To whom elsewhere a message has gone (federation contract 5): one row for each inbox. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(
    db,
    engine,
    "sent_to",
    [
      ["big", "message_id"],
      ["text", "inbox people"],
      ["flag", "shared"],
    ],
    ["primary key (message_id, inbox)"],
  );
}
