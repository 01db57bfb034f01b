import type { Hub } from "../../../hub.ts";
import { selectItems, yes } from "../queries.ts";
import type { Item } from "../types.ts";
import { termTypes } from "../vocabulary.ts";

/** Whom what somebody says concerns, by xchan ids. */

/** Everybody of elsewhere whom a message mentions, by xchan ids. */
export async function mentionedIn(hub: Hub, item: Item): Promise<number[]> {
  return (await selectMentioned(hub, item)).map((row) => row.xchan_id);
}

/** The same by their ids on all hubs. */
export async function actorsMentionedIn(hub: Hub, item: Item): Promise<string[]> {
  return (await selectMentioned(hub, item)).map((row) => row.xchan_hash);
}

function selectMentioned(hub: Hub, { message_id }: Item) {
  return hub.db
    .selectFrom("term")
    .innerJoin("xchan", "xchan.xchan_url", "term.url")
    .innerJoin("actor", "actor.xchan_id", "xchan.xchan_id")
    .select(["xchan.xchan_id", "xchan.xchan_hash"])
    .where("term.message_id", "=", message_id)
    .where("term.uid", "=", 0)
    .where("term.ttype", "=", termTypes.mention)
    .execute();
}

/** Whose words a post shares, where that is somebody of elsewhere. */
export async function sharedFrom(hub: Hub, { shared_id }: Item): Promise<number[]> {
  if (shared_id === 0) return [];
  const rows = await hub.db
    .selectFrom("message")
    .innerJoin("actor", "actor.xchan_id", "message.author_id")
    .select("actor.xchan_id")
    .where("message.id", "=", shared_id)
    .execute();
  return rows.map((row) => row.xchan_id);
}

/** People of elsewhere who have written in the thread, or were mentioned there. */
export async function writingOrMentionedIn(hub: Hub, top: Item): Promise<number[]> {
  const said = hub.db.selectFrom("item").where("item.parent", "=", top.id).where("item.item_normal", "=", yes);
  const rows = await said
    .innerJoin("actor", "actor.xchan_id", "item.author_id")
    .select("actor.xchan_id")
    .union(
      said
        .innerJoin("term", "term.message_id", "item.message_id")
        .innerJoin("xchan", "xchan.xchan_url", "term.url")
        .innerJoin("actor", "actor.xchan_id", "xchan.xchan_id")
        .select("actor.xchan_id")
        .where("term.uid", "=", 0)
        .where("term.ttype", "=", termTypes.mention),
    )
    .execute();
  return rows.map((row) => row.xchan_id);
}

/** Whose words an answer answers; nobody's where it is none. */
export async function answeredBy(hub: Hub, { item_thread_top, thr_parent_id, parent }: Item): Promise<number[]> {
  if (item_thread_top === 1) return [];
  const answered = await selectItems(hub)
    .where("item.id", "=", thr_parent_id > 0 ? thr_parent_id : parent)
    .executeTakeFirstOrThrow();
  return [answered.author_id];
}
