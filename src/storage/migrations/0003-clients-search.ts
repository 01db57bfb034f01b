import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../database.ts";
import { createIndexes, createTable } from "./columns.ts";

/** Applications with their tokens, uploads in pieces, dates of lists and saved searches, the search index. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await applications(db, engine);
  await uploads(db, engine);
  await dates(db);
}

/** Microblog contract 6.3 to 6.5. */
async function applications(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "oauth_client", [
    ["id", "id"],
    ["big", "uid"],
    ["text", "client_key secret name"],
    ["empty", "redirect icon"],
    ["date", "created"],
  ]);
  await createTable(db, engine, "oauth_token", [
    ["id", "id"],
    ["big", "client_id uid"],
    ["text", "kind token secret"],
    ["empty", "callback verifier"],
    ["flag", "tries"],
    ["date", "created expires"],
  ]);
  await createTable(db, engine, "oauth_nonce", [
    ["id", "id"],
    ["text", "digest"],
    ["date", "expires"],
  ]);
  await createIndexes(db, {
    oauth_client_key_unique: "oauth_client (client_key)",
    oauth_client_owner: "oauth_client (uid, id)",
    oauth_token_unique: "oauth_token (token)",
    oauth_token_client: "oauth_token (client_id)",
    oauth_token_owner: "oauth_token (uid, kind, id)",
    oauth_token_expires: "oauth_token (expires)",
    oauth_nonce_unique: "oauth_nonce (digest)",
    oauth_nonce_expires: "oauth_nonce (expires)",
  });
}

/** Microblog contract 8.11: media that comes in pieces. */
async function uploads(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "upload", [
    ["id", "id"],
    ["big", "uid total_bytes"],
    ["empty", "media_type album alt_text hash"],
    ["date", "created"],
  ]);
  await createTable(db, engine, "upload_piece", [
    ["id", "id"],
    ["big", "upload_id position size"],
    ["text", "blob"],
  ]);
  await createIndexes(db, {
    upload_created: "upload (created)",
    upload_piece_unique: "upload_piece (upload_id, position)",
    upload_piece_blob: "upload_piece (blob)",
  });
}

/** Lists and saved searches have a date of their own in the microblog interface (7.14, 7.16); older ones have none. */
async function dates(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table pgrp add column created text not null default ''`).execute(db);
  await sql.raw(`alter table term add column created text not null default ''`).execute(db);
}
