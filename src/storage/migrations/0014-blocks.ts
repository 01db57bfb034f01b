import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/**
 * Hosts of which the site, or a channel, wants nothing or less (federation contract 13), and what connections between hubs have to
 * remember beside their states.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "site_block", [
    ["id", "id"],
    ["text", "domain level"],
    ["flag", "no_media"],
    ["empty", "reason public_comment"],
    ["date", "created"],
  ]);
  await createTable(db, engine, "host_block", [
    ["id", "id"],
    ["big", "uid"],
    ["text", "host kind"],
    ["date", "created"],
  ]);
  await createIndexes(db, { site_block_unique: "site_block (domain)", host_block_unique: "host_block (uid, host)" });
  const date = engine === "postgres" ? 'text collate "C"' : "text";
  const unset = "not null default '0001-01-01 00:00:00'";
  for (const column of [
    `abook add column abook_shut_out integer not null default 0`,
    `abook add column follow_out_again ${date} ${unset}`,
    `actor add column joined ${date} ${unset}`,
  ])
    await sql.raw(`alter table ${column}`).execute(db);
  await sql.raw("drop index abook_unwanted").execute(db);
  await createIndexes(db, {
    abook_unwanted: "abook (abook_channel) where abook_blocked = 1 or abook_ignored = 1 or abook_shut_out = 1",
    abook_again: "abook (follow_out_again) where follow_out_again > '0001-01-01 00:00:00'",
  });
}
