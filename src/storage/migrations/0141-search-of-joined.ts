import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";

/**
 * An item is found by the words of the message that it has, also once it has another one: whoever kept a former version and joins
 * the others again (decision 157) was found by what they had kept.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const columns = [
    "message_id",
    "item_type",
    "item_notshown",
    "item_hidden",
    "item_deleted",
    "item_wall",
    "item_private",
  ];
  const hasChanged = columns.map((column) => `old.${column} <> new.${column}`).join(" or ");
  const begin = `create trigger search_item_changed after update of ${columns.join(", ")} on item`;
  await sql.raw(`drop trigger search_item_changed${engine === "postgres" ? " on item" : ""}`).execute(db);
  await sql
    .raw(
      engine === "postgres"
        ? `${begin} for each row when (${hasChanged}) execute function search_item_changed()`
        : `${begin} when ${hasChanged} begin
    delete from search where rowid = old.id;
    insert into search (rowid, words)
    select new.id, replace(' ' || m.words, ' ', ' ' || case when new.item_wall = 1 and new.item_private = 0 then 0 else new.uid end || 'z')
      from message m where m.id = new.message_id and m.words <> '' and new.item_type = 0 and new.item_notshown = 0
        and new.item_hidden = 0 and new.item_deleted = 0; end`,
    )
    .execute(db);
}
