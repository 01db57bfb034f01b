import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** What today's applications leave with a hub: themselves, consents, tokens, and how far somebody has read (mastodon contract 9.1). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "oauth2_app", [
    ["id", "id"],
    ["text", "client_id secret_digest name redirects scopes"],
    ["empty", "website"],
    ["big", "uid"],
    ["date", "created used"],
  ]);
  await createTable(db, engine, "oauth2_code", [
    ["text", "digest redirect scopes"],
    ["empty", "challenge"],
    ["big", "app_id uid token_id"],
    ["flag", "tries"],
    ["date", "created expires"],
  ]);
  await createTable(db, engine, "oauth2_token", [
    ["id", "id"],
    ["text", "digest scopes"],
    ["big", "app_id uid"],
    ["date", "created expires"],
  ]);
  await createTable(db, engine, "idempotency", [
    ["big", "token_id result"],
    ["text", "digest"],
    ["empty", "kind"],
    ["date", "created"],
  ]);
  await createTable(db, engine, "marker", [
    ["big", "uid last_read_id"],
    ["text", "timeline"],
    ["flag", "version"],
    ["date", "updated"],
  ]);
  await createIndexes(db, {
    oauth2_app_unique: "oauth2_app (client_id)",
    oauth2_app_owner: "oauth2_app (uid)",
    oauth2_app_used: "oauth2_app (used, id)",
    oauth2_code_unique: "oauth2_code (digest)",
    oauth2_code_uid: "oauth2_code (uid)",
    oauth2_code_expires: "oauth2_code (expires)",
    oauth2_token_unique: "oauth2_token (digest)",
    oauth2_token_uid: "oauth2_token (uid)",
    oauth2_token_app: "oauth2_token (app_id)",
    oauth2_token_expires: "oauth2_token (expires)",
    idempotency_unique: "idempotency (token_id, digest)",
    idempotency_created: "idempotency (created)",
    marker_unique: "marker (uid, timeline)",
  });
}
