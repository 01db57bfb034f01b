import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes } from "./columns.ts";

/** Notices that the policy of their reader keeps apart (decision 86). */
export async function up(db: Kysely<unknown>, _engine: Engine): Promise<void> {
  await sql.raw("alter table notify add column filtered integer not null default 0").execute(db);
  await createIndexes(db, { notify_filtered: "notify (uid, actor_id, id) where filtered = 1" });
}
