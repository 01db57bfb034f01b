import type { Hub } from "../../../hub.ts";
import { selectItems, yes } from "../queries.ts";
import type { Item } from "../types.ts";
import { termTypes } from "../vocabulary.ts";

/** Whom what somebody says concerns, by xchan ids. */

/** Everybody whom a message mentions, by xchan ids. */
export async function mentionedIn(hub: Hub, { message_id }: Item): Promise<number[]> {
  const rows = await hub.db
    .selectFrom("term")
    .innerJoin("xchan", "xchan.xchan_url", "term.url")
    .innerJoin("actor", "actor.xchan_id", "xchan.xchan_id")
    .select("xchan.xchan_id")
    .where("term.message_id", "=", message_id)
    .where("term.uid", "=", 0)
    .where("term.ttype", "=", termTypes.mention)
    .execute();
  return rows.map((row) => row.xchan_id);
}

/** People of elsewhere who have written in the thread. */
export async function takingPart(hub: Hub, top: Item): Promise<number[]> {
  const rows = await hub.db
    .selectFrom("item")
    .innerJoin("actor", "actor.xchan_id", "item.author_id")
    .select("item.author_id")
    .distinct()
    .where("item.parent", "=", top.id)
    .where("item.item_normal", "=", yes)
    .execute();
  return rows.map((row) => row.author_id);
}

/** Whose words an answer answers; nobody's where it is none. */
export async function answeredBy(hub: Hub, { item_thread_top, thr_parent_id, parent }: Item): Promise<number[]> {
  if (item_thread_top === 1) return [];
  const answered = await selectItems(hub)
    .where("item.id", "=", thr_parent_id > 0 ? thr_parent_id : parent)
    .executeTakeFirstOrThrow();
  return [answered.author_id];
}
