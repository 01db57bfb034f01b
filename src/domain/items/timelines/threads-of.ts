import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { observerOf } from "../../identity/channels/observer.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { visibleTo } from "../../permissions/visible.ts";

/**
 * Those of these items that are statuses which the channel may see, each with the top of its thread: its own copies,
 * and what others have on their walls, such as a share of its post.
 */
export async function threadsOf(hub: Hub, channel: Channel, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await hub.db
    .selectFrom("item")
    .select(["item.id", "item.parent"])
    .where(isOneOf(hub.engine, sql.ref("item.id"), ids))
    .where(visibleTo(hub, observerOf(channel)))
    .where(sql<SqlBool>`(item.uid = ${channel.channel_id} or item.item_wall = 1)`)
    .where("item.item_normal", "=", sql.lit(1))
    .where("item.item_notshown", "=", sql.lit(0))
    .execute();
  return new Map(rows.map((row) => [row.id, row.parent]));
}
