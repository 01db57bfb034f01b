import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes } from "./columns.ts";

/** What those who run the hub know of accounts and do about them (decision 89). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const [id, text] = engine === "postgres" ? ["bigint", 'text collate "C"'] : ["integer", "text"];
  for (const column of [
    "account_limited integer not null default 0",
    `account_reason ${text} not null default ''`,
    `account_invited_by ${id} not null default 0`,
  ])
    await sql.raw(`alter table account add column ${column}`).execute(db);
  await sql.raw(`alter table moderation add column account_id ${id} not null default 0`).execute(db);
  await sql.raw("alter table moderation add column told integer not null default 0").execute(db);
  await createIndexes(db, {
    account_by_log_in: "account (account_lastlog, account_id)",
    account_flagged: "account (account_id) where account_flags <> 0",
    account_with_role: "account (account_id) where account_roles <> 0",
    account_with_limit: "account (account_id) where account_limited = 1",
    account_invited: "account (account_invited_by, account_id) where account_invited_by > 0",
    moderation_account: "moderation (account_id, id) where account_id > 0",
    moderation_created: "moderation (created)",
    report_person: "report (person_id, id)",
    job_given_up: "job (dead, id) where dead = 1",
  });
}
