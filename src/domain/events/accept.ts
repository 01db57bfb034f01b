import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { sql } from "kysely";
import { unlessMissing } from "../../errors.ts";
import { ownerOnly } from "../files/lists.ts";
import { observerOf } from "../identity/channels/observer.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findChannelById } from "../identity/channels/channels.ts";
import { ownCopyOf } from "../items/find.ts";
import type { Item } from "../items/types.ts";
import { verbUri } from "../items/vocabulary.ts";
import { findEvent } from "./find.ts";
import type { CalendarEvent } from "./types.ts";

/** Notes an event that the channel may see in its own calendar; nobody else sees the entry. Throws missing. */
export async function addToCalendar(hub: Hub, channel: Channel, hash: string): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const { event } = await findEvent(hub, observerOf(channel), hash);
    if (event.uid !== channel.channel_id) await copyTo(hub, channel, event);
  });
}

async function copyTo(hub: Hub, channel: Channel, event: CalendarEvent): Promise<void> {
  const { id: _, ...columns } = event;
  await hub.db
    .insertInto("event")
    .values({
      ...columns,
      aid: channel.channel_account_id,
      uid: channel.channel_id,
      cal_id: 0,
      dismissed: 0,
      ...ownerOnly(channel),
    })
    .onConflict((conflict) => conflict.columns(["uid", "event_hash"]).doNothing())
    .execute();
}

/**
 * Brings the calendar of somebody who has answered an invitation up to date: who comes, or may come, has the event in the
 * calendar, who does not come has not. May run twice.
 */
export async function followAttendance(hub: Hub, uid: number, messageId: number): Promise<void> {
  const channel = await findChannelById(hub, uid);
  const item = channel && (await ownCopyOf(hub, uid, messageId));
  if (!channel || item?.resource_type !== "event" || item.author_id === channel.xchan_id) return;
  // The event may have been deleted since.
  if (await willAttend(hub, channel, item)) await unlessMissing(addToCalendar(hub, channel, item.resource_id));
  else
    await hub.db
      .deleteFrom("event")
      .where("uid", "=", uid)
      .where("event_hash", "=", item.resource_id)
      .where("event_xchan", "<>", channel.channel_hash)
      .execute();
}

async function willAttend(hub: Hub, channel: Channel, item: Item): Promise<boolean> {
  const row = await hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select("item.id")
    .where("item.thr_parent_id", "=", item.id)
    .where("item.item_normal", "=", sql.lit(1))
    .where("item.author_id", "=", channel.xchan_id)
    .where("message.verb", "in", [verbUri("attendyes"), verbUri("attendmaybe")])
    .executeTakeFirst();
  return row !== undefined;
}
