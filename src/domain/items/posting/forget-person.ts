import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { forgetContactsBy } from "../first-contacts.ts";
import { selectItems } from "../queries.ts";
import type { Item } from "../types.ts";
import { deleteForAll } from "./delete.ts";

/** How many messages one look finds: each is removed in a transaction of its own. */
const together = 50;

/**
 * Removes everything that somebody of elsewhere wrote, for all channels, with the threads that they began: they are gone, or
 * the site has nothing to do with their hub any more. A job; may run twice.
 */
export async function forgetPerson(hub: Hub, xchanId: number): Promise<void> {
  await forgetContactsBy(hub, xchanId);
  for (let below: number | undefined = Number.MAX_SAFE_INTEGER; below !== undefined;) {
    const items: Item[] = await someBy(hub, xchanId, below);
    for (const item of items) await inTransaction(hub, (hub) => deleteForAll(hub, item));
    below = items.length < together ? undefined : Math.min(...items.map((item) => item.message_id));
  }
}

/** Found channel by channel, because that is how copies are indexed by their authors. */
async function someBy(hub: Hub, xchanId: number, below: number): Promise<Item[]> {
  const rows = await hub.db
    .selectFrom("channel")
    .innerJoin("item", "item.uid", "channel.channel_id")
    .select((eb) => eb.fn.min("item.id").as("id"))
    .where("item.author_id", "=", xchanId)
    .where("item.message_id", "<", below)
    .where("item.item_deleted", "=", 0)
    .groupBy("item.message_id")
    .orderBy("item.message_id", "desc")
    .limit(together)
    .execute();
  const ids = rows.map(({ id }) => id);
  return ids.length === 0 ? [] : selectItems(hub).where("item.id", "in", ids).execute();
}
