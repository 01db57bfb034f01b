import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes } from "./columns.ts";

/** Who takes a direct message back elsewhere names it by its id alone. */
export async function up(db: Kysely<unknown>, _engine: Engine): Promise<void> {
  await createIndexes(db, { mail_id: "mail (mid)" });
}
