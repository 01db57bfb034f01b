import { randomUUID } from "node:crypto";
import { refusal } from "../../../errors.ts";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { addDeed } from "../../../jobs/queue.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { lockChannels } from "../../identity/channels/lock-channels.ts";
import { findStatus } from "../find.ts";
import type { ItemRef } from "../find.ts";
import { canPin, pinsOf, replacePins } from "../pins.ts";
import type { Item } from "../types.ts";

/** So many posts a channel has on top of its page. */
const mostOwn = 5;

/**
 * Puts a post of the channel on top of its page, or takes it away from there; those who follow it elsewhere hear of what everybody may
 * see. Throws missing, denied for what is no post of its own on its own wall, and for more than five.
 */
export async function setPinned(hub: Hub, channel: Channel, ref: ItemRef, pinned: boolean): Promise<Item> {
  const stamp = randomUUID();
  return inTransaction(hub, async (hub) => {
    await lockChannels(hub, [channel.channel_id]);
    const item = await findStatus(hub, channel, ref);
    if (!canPin(channel, item)) throw refusal("not_pinnable");
    const others = (await pinsOf(hub, channel.channel_hash)).filter((id) => id !== item.message_id);
    if (pinned && others.length >= mostOwn) throw refusal("pins_full", { most: mostOwn });
    await replacePins(hub, channel.channel_hash, pinned ? [item.message_id, ...others] : others);
    if (item.item_private === 0)
      await addDeed(hub, channel.channel_id, { deed: "pin", uuid: item.uuid, pinned, stamp });
    return item;
  });
}
