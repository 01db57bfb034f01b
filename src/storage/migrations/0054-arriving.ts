import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** Whom a channel does not want to be suggested any more, and links that let people sign up (decision 84). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "dismissed_suggestion", [["big", "uid xchan_id"]], ["primary key (uid, xchan_id)"]);
  await createTable(db, engine, "invitation", [
    ["id", "id"],
    ["big", "uid"],
    ["text", "token"],
    ["empty", "note"],
    ["int", "most_uses"],
    ["flag", "uses"],
    ["date", "expires created"],
  ]);
  await createIndexes(db, {
    invitation_token_unique: "invitation (token)",
    invitation_by_channel: "invitation (uid, id)",
  });
}
