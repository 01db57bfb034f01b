import { sql } from "kysely";
import type { Hub } from "../../../hub.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findChannelByXchan } from "../../identity/channels/channels.ts";
import { observerOf } from "../../identity/channels/observer.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { rowsSeen } from "../../permissions/visible.ts";
import { canPin, mostPins, pins } from "../pins.ts";
import { no, selectItems, yes } from "../queries.ts";
import type { StatusItem } from "../columns.ts";
import type { Item } from "../types.ts";
import { findStatuses } from "./find-statuses.ts";

/** What a channel has pinned on its page, as far as the observer may see it; the newest pin first. */
export async function pinnedBy(hub: Hub, observer: Observer, channel: Channel): Promise<Item[]> {
  const items = await pinned(hub, observer, channel.channel_hash, channel.channel_id);
  return items.filter((item) => canPin(channel, item));
}

/** What somebody elsewhere has pinned, as far as the channel has it; the newest pin first. */
export function pinnedElsewhere(hub: Hub, channel: Channel, { xchan_hash }: Xchan): Promise<Item[]> {
  return pinned(hub, observerOf(channel), xchan_hash, channel.channel_id);
}

/** The same of anybody as statuses, by the observer's own copies where there are any. */
export async function pinnedStatuses(
  hub: Hub,
  observer: Observer,
  person: Xchan,
  observing: Channel | undefined,
): Promise<StatusItem[]> {
  const channel = await findChannelByXchan(hub, person.xchan_id);
  const items = channel
    ? await pinnedBy(hub, observer, channel)
    : observing
      ? await pinnedElsewhere(hub, observing, person)
      : [];
  return findStatuses(
    hub,
    observer,
    items.map(({ id }) => id),
  );
}

/** The pinned messages by this channel's copies. */
function pinned(hub: Hub, observer: Observer, who: string, uid: number): Promise<Item[]> {
  return rowsSeen(hub, observer, "pinned items", { who, uid }, (given, seen) => {
    const marks = pins(hub, given.who).select(["iconfig.id as pin", "iconfig.message_id as pinned"]).as("pins");
    return selectItems(hub)
      .innerJoin(marks, "pins.pinned", "item.message_id")
      .where("item.uid", "=", given.uid)
      .where("item.item_normal", "=", yes)
      .where("item.item_notshown", "=", no)
      .where(seen)
      .orderBy("pins.pin", "desc")
      .limit(sql.lit(mostPins));
  });
}
