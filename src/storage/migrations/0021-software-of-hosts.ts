import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes } from "./columns.ts";

/** What software other hubs run, and when they were asked. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === "postgres" ? 'text collate "C"' : "text";
  for (const column of [
    `software ${text} not null default ''`,
    `software_version ${text} not null default ''`,
    `software_asked ${text} not null default '0001-01-01 00:00:00'`,
  ])
    await sql.raw(`alter table peer add column ${column}`).execute(db);
  await createIndexes(db, { peer_software_asked: "peer (software_asked)" });
}
