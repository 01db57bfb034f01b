import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";

/** What is said of a film or sound for those who do not see or hear it; pictures have the same in their renditions. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const collation = engine === "postgres" ? ' collate "C"' : "";
  await sql.raw(`alter table attach add column description text${collation} not null default ''`).execute(db);
}
