import { sql } from "kysely";
import type { Hub } from "../../hub.ts";

/**
 * The channels that have copies of the message, with ids from and to these, and webhooks that are told of items; with whether they have written
 * it.
 */
export async function channelsWithWebhooks(
  hub: Hub,
  message: number,
  { from, to }: { from: number; to: number },
): Promise<Map<number, boolean>> {
  const rows = await hub.db
    .selectFrom("item")
    .innerJoin("webhook", "webhook.uid", "item.uid")
    .innerJoin("message", "message.id", "item.message_id")
    .innerJoin("channel", "channel.channel_id", "item.uid")
    .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
    .select(["item.uid", "message.author_id", "xchan.xchan_id"])
    .distinct()
    .where("item.message_id", "=", message)
    .where("item.id", ">=", from)
    .where("item.id", "<=", to)
    .where("webhook.is_on", "=", sql.lit(1))
    .where("webhook.of_items", "=", sql.lit(1))
    .execute();
  return new Map(rows.map(({ uid, author_id, xchan_id }) => [uid, author_id === xchan_id]));
}
