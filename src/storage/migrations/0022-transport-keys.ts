import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** Keys with which channels sign requests, once they use others than the key of their identity (federation contract 1.3). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(
    db,
    engine,
    "transport_key",
    [
      ["big", "channel_id"],
      ["text", "name pubkey prvkey"],
      ["date", "created"],
      ["zero", "retired"],
    ],
    ["primary key (channel_id, name)"],
  );
  await createIndexes(db, { transport_key_retired: "transport_key (retired)" });
}
