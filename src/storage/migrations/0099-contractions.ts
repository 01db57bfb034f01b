import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createTable } from "./columns.ts";

/** Steps that programs have to know: those that took something away (decision 113). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "contraction", [["text", "step"]], ["primary key (step)"]);
}
