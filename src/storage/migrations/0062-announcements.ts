import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/** What those who run the hub say to all members, who does not want to see it any more, and what people say to it (decision 86). */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "announcement", [
    ["id", "id"],
    ["text", "body html"],
    ["zero", "published ends"],
    ["date", "created updated"],
  ]);
  await createTable(
    db,
    engine,
    "dismissed_announcement",
    [["big", "uid announcement_id"]],
    ["primary key (uid, announcement_id)"],
  );
  await createTable(
    db,
    engine,
    "announcement_reaction",
    [
      ["big", "announcement_id"],
      ["text", "name"],
      ["big", "uid"],
      ["date", "created"],
    ],
    ["primary key (announcement_id, name, uid)"],
  );
  await createIndexes(db, {
    announcement_published: "announcement (published, id)",
    dismissed_announcement_of: "dismissed_announcement (announcement_id)",
  });
}
