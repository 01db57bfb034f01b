import { sql } from "kysely";
import { unlessMissing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { observerOf } from "../../identity/channels/observer.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { visibleTo } from "../../permissions/visible.ts";
import { findStatus } from "../find.ts";
import { no, selectStatuses, yes } from "../queries.ts";
import type { StatusItem } from "../columns.ts";

/**
 * The statuses with these ids that the channel may see, in this order, each once; like `findStatus` by the channel's
 * own copies where there are any.
 */
export async function findStatuses(hub: Hub, channel: Channel, ids: readonly number[]): Promise<StatusItem[]> {
  if (ids.length === 0) return [];
  const named = await selectStatuses(hub)
    .select("item.item_wall")
    .where(isOneOf(hub.engine, sql.ref("item.id"), ids))
    .where("item.item_normal", "=", yes)
    .where("item.item_notshown", "=", no)
    .where(visibleTo(hub, observerOf(channel)))
    .execute();
  const own = await ownCopies(
    hub,
    channel.channel_id,
    named.map((item) => item.message_id),
  );
  const byId = new Map(named.map((item) => [item.id, item]));
  const found = new Map<number, StatusItem>();
  for (const id of ids) {
    const item = byId.get(id);
    if (!item || found.has(item.message_id)) continue;
    // Of a copy that is on no wall its owner's word counts too; these are rare.
    const seen =
      own.get(item.message_id) ?? (item.item_wall === 1 ? item : await unlessMissing(findStatus(hub, channel, { id })));
    if (seen) found.set(item.message_id, seen);
  }
  return [...found.values()];
}

async function ownCopies(hub: Hub, uid: number, messages: readonly number[]): Promise<Map<number, StatusItem>> {
  const rows = await selectStatuses(hub)
    .where(isOneOf(hub.engine, sql.ref("item.message_id"), messages))
    .where("item.uid", "=", uid)
    .where("item.item_normal", "=", yes)
    .where("item.item_notshown", "=", no)
    .execute();
  return new Map(rows.map((item) => [item.message_id, item]));
}
