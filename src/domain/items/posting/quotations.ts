import { missing } from "../../../errors.ts";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { addDeed } from "../../../jobs/queue.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findXchan } from "../../identity/xchans/xchans.ts";
import { listApprovals, revoke } from "../approvals.ts";
import type { Approval } from "../approvals.ts";
import { findOwnItem } from "../find.ts";
import type { ItemRef } from "../find.ts";
import type { Item } from "../types.ts";

/** Which posts of elsewhere may quote something that the channel wrote. Throws missing for everything else. */
export async function quotationsOf(
  hub: Hub,
  channel: Channel,
  ref: ItemRef,
): Promise<{ item: Item; quotations: Approval[] }> {
  const item = await findOwnItem(hub, channel.channel_id, ref);
  if (!item || item.author_id !== channel.xchan_id || item.item_deleted === 1) throw missing("Item");
  return { item, quotations: await listApprovals(hub, item.message_id) };
}

/**
 * Lets a post of elsewhere quote something of the channel no more; whoever wrote it hears of that. `approval` is the uuid of the
 * stamp. Throws missing.
 */
export async function takeBackQuotation(hub: Hub, channel: Channel, ref: ItemRef, approval: string): Promise<Item> {
  return inTransaction(hub, async (hub) => {
    const { item } = await quotationsOf(hub, channel, ref);
    const personId = await revoke(hub, item.message_id, approval);
    const person = personId === undefined ? undefined : await findXchan(hub, { id: personId });
    if (!person) throw missing("Item");
    await addDeed(hub, channel.channel_id, { deed: "unquoted", person: person.xchan_hash, approval });
    return item;
  });
}
