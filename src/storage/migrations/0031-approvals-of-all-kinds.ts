import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes } from "./columns.ts";

/** Not only quotations bear stamps: answers, likes and shares do as well (federation contract 7). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === "postgres" ? 'text collate "C"' : "text";
  await sql.raw(`alter table approval add column kind ${text} not null default 'quote'`).execute(db);
  await sql.raw("drop index approval_unique").execute(db);
  await createIndexes(db, { approval_unique: "approval (message_id, kind, quoting)" });
}
