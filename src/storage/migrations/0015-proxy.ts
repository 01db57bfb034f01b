import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** What is shown of other hubs from our own address: pictures, films, emoji, covers (federation contract 14). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "remote_media", [
    ["id", "id"],
    ["text", "digest url host"],
    ["empty", "mimetype blob"],
    ["big", "filesize"],
    ["date", "viewed"],
    ["flag", "failures"],
    ["zero", "retry"],
  ]);
  await createTable(db, engine, "emoji", [
    ["id", "id"],
    ["text", "host code url"],
    ["empty", "mimetype blob"],
    ["big", "filesize"],
    ["zero", "updated"],
  ]);
  await createIndexes(db, {
    remote_media_digest_unique: "remote_media (digest)",
    remote_media_viewed: "remote_media (viewed)",
    remote_media_host: "remote_media (host, viewed)",
    remote_media_blob: "remote_media (blob) where blob <> ''",
    emoji_code_unique: "emoji (host, code)",
    emoji_blob: "emoji (blob) where blob <> ''",
  });
  const text = engine === "postgres" ? 'text collate "C"' : "text";
  for (const column of ["cover", "fields"])
    await sql.raw(`alter table actor add column ${column} ${text} not null default ''`).execute(db);
  for (const column of ["followers_count", "following_count", "posts_count"])
    await sql.raw(`alter table actor add column ${column} integer`).execute(db);
  await sql.raw(`alter table actor add column counted ${text} not null default '0001-01-01 00:00:00'`).execute(db);
  await sql`insert into setting (k, v) select 'media_key', ${randomBytes(32).toString("base64url")}
    where not exists (select 1 from setting where k = 'media_key')`.execute(db);
}
