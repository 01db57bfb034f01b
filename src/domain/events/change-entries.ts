import { sql } from "kysely";
import type { SqlBool, Updateable } from "kysely";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { EventTable } from "../../storage/tables/events.ts";
import type { Channel } from "../identity/channels/channel.ts";

/**
 * Changes an event of the channel, also in the calendars of others who have it, but not of those who keep what was posted of it as it
 * was (decision 157). Part of a transaction.
 */
export async function changeEntries(
  hub: Hub,
  maker: Channel,
  hash: string,
  columns: Updateable<EventTable>,
): Promise<void> {
  await hub.db
    .updateTable("event")
    .set({ ...columns, edited: now(hub) })
    .where("event_hash", "=", hash)
    .where("event_xchan", "=", maker.channel_hash)
    .where(sql<SqlBool>`not exists (select 1 from message kept join item on item.message_id = kept.id
      where kept.resource_id = event.event_hash and kept.resource_id <> '' and kept.resource_type = 'event'
        and kept.author_id = ${maker.xchan_id} and kept.version < 0 and item.uid = event.uid)`)
    .execute();
}
