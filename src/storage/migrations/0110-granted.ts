import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes } from "./columns.ts";

/**
 * What connections are granted stands in the index itself on SQLite, where a look at each row was most of what a list of connections
 * took. PostgreSQL would go through all of a channel's in such an index (decision 143).
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine === "sqlite")
    await createIndexes(db, { abconfig_granted: "abconfig (chan, xchan, cat, k) where v = '1'" });
}
