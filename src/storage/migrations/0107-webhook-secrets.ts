import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { zeroDate } from "../sql.ts";

/** The secret that a webhook had before, and until when requests are signed with it as well (decision 109). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === "postgres" ? 'text collate "C"' : "text";
  for (const [column, unset] of [
    ["former_secret", ""],
    ["former_until", zeroDate],
  ])
    await sql.raw(`alter table webhook add column ${column} ${text} not null default '${unset}'`).execute(db);
}
