import { missing } from "../../../errors.ts";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { addDeed } from "../../../jobs/queue.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findXchan } from "../../identity/xchans/xchans.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { listApprovals, revoke } from "../approvals.ts";
import type { Approval } from "../approvals.ts";
import { findOwnWriting, findStatus } from "../find.ts";
import type { ItemRef } from "../find.ts";
import type { Item } from "../types.ts";
import { unquote } from "./unquote.ts";

/** Which posts of elsewhere may quote something that the channel wrote. Throws missing for everything else. */
export async function quotationsOf(
  hub: Hub,
  channel: Channel,
  ref: ItemRef,
): Promise<{ item: Item; quotations: Approval[] }> {
  const item = await findOwnWriting(hub, channel, ref);
  return { item, quotations: await listApprovals(hub, item.message_id) };
}

/**
 * Lets a post of elsewhere quote something of the channel no more; whoever wrote it hears of that. `approval` is the uuid of the
 * stamp. Throws missing.
 */
export async function takeBackQuotation(hub: Hub, channel: Channel, ref: ItemRef, approval: string): Promise<Item> {
  return inTransaction(hub, async (hub) => {
    const { item } = await quotationsOf(hub, channel, ref);
    const revoked = await revoke(hub, item.message_id, approval);
    const person = revoked && (await findXchan(hub, { id: revoked.person_id }));
    if (!person) throw missing("Item");
    const here = await messageBy(hub, person, revoked.quoting);
    if (here !== undefined) await unquote(hub, here, item.mid);
    await addDeed(hub, channel.channel_id, { deed: "unquoted", person: person.xchan_hash, approval });
    return item;
  });
}

/** The same for a post that the channel sees: it quotes something of the channel, and shall not any more. Throws missing. */
export async function stopQuoting(hub: Hub, channel: Channel, ref: ItemRef, quoting: ItemRef): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const { item, quotations } = await quotationsOf(hub, channel, ref);
    const post = await findStatus(hub, channel, quoting);
    if (post.shared_id !== item.message_id) throw missing("Item");
    const approval = quotations.find((one) => one.quoting === post.mid);
    if (approval) await takeBackQuotation(hub, channel, ref, approval.uuid);
    else await unquote(hub, post.message_id, item.mid);
  });
}

async function messageBy(hub: Hub, { xchan_id }: Xchan, mid: string): Promise<number | undefined> {
  const row = await hub.db
    .selectFrom("message")
    .select("id")
    .where("mid", "=", mid)
    .where("author_id", "=", xchan_id)
    .where("version", "=", 0)
    .executeTakeFirst();
  return row?.id;
}
