import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** Letters that the hub sends, tokens of accounts that are good once, second factors, and from where a log-in was used. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "letter", [
    ["id", "id"],
    ["text", "recipient site subject parts message_id"],
    ["empty", "unsubscribe"],
    ["date", "created keep_until"],
  ]);
  await createTable(db, engine, "account_token", [
    ["id", "id"],
    ["text", "token_digest purpose"],
    ["big", "account_id"],
    ["empty", "about"],
    ["date", "created expires"],
  ]);
  await createTable(db, engine, "totp", [
    ["id", "id"],
    ["big", "account_id"],
    ["text", "secret"],
    ["big", "last_step"],
    ["flag", "confirmed"],
    ["date", "created"],
  ]);
  await createTable(db, engine, "recovery_code", [
    ["id", "id"],
    ["big", "account_id"],
    ["text", "code_digest"],
  ]);
  await createTable(db, engine, "passkey", [
    ["id", "id"],
    ["big", "account_id"],
    ["text", "credential public_key name"],
    ["big", "counter"],
    ["empty", "transports"],
    ["date", "created used"],
  ]);
  await createIndexes(db, {
    letter_until: "letter (keep_until)",
    account_token_unique: "account_token (token_digest)",
    account_token_account: "account_token (account_id, purpose)",
    account_token_expires: "account_token (expires)",
    totp_unique: "totp (account_id)",
    recovery_code_unique: "recovery_code (account_id, code_digest)",
    passkey_unique: "passkey (credential)",
    passkey_account: "passkey (account_id, id)",
  });
  await sql.raw("alter table account add column account_second_factor integer not null default 0").execute(db);
  const text = engine === "postgres" ? 'text collate "C"' : "text";
  await sql.raw(`alter table session add column address ${text} not null default ''`).execute(db);
}
