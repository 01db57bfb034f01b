import type { Hub } from "../../../hub.ts";
import { findChannelById } from "../../identity/channels/channels.ts";
import { stillReads } from "../../permissions/thread-readers.ts";
import { keepText } from "../kept-text.ts";
import { no, selectItems, yes } from "../queries.ts";
import type { Item } from "../types.ts";

/**
 * Whoever has a private message and has left its audience keeps it as it is: what is about to be written in it is not for them
 * (decision 157). Part of the transaction that changes it; of a public message nothing is asked.
 */
export async function keepFromFormerReaders(
  hub: Hub,
  message: Pick<Item, "message_id" | "author_id" | "item_private">,
): Promise<void> {
  if (message.item_private === 0) return;
  const left = await formerReaders(hub, message);
  if (left.length > 0) await keepText(hub, message.message_id, left);
}

/**
 * The channels that have it, and to which an answer in its thread would not go any more. Who has left a thread of another hub is not
 * known here.
 */
async function formerReaders(
  hub: Hub,
  { message_id, author_id }: Pick<Item, "message_id" | "author_id">,
): Promise<number[]> {
  const threads = hub.db
    .selectFrom("item as posted")
    .select("posted.parent")
    .where("posted.message_id", "=", message_id)
    .where("posted.item_wall", "=", yes);
  // A forum has what it took over on a wall of its own.
  const tops = await selectItems(hub).where("item.id", "in", threads).execute();
  const owners = await Promise.all(tops.map((top) => findChannelById(hub, top.uid)));
  const reading = tops.flatMap((top, index) => {
    const owner = owners[index];
    return owner?.xchan_id === top.owner_id ? [{ owner, reads: stillReads(hub, owner, top) }] : [];
  });
  if (reading.length === 0) return [];
  const rows = await hub.db
    .selectFrom("item")
    .innerJoin("channel", "channel.channel_id", "item.uid")
    .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
    .select("channel.channel_id")
    .where("item.message_id", "=", message_id)
    .where("item.item_deleted", "=", no)
    .where("xchan.xchan_id", "<>", author_id)
    .where(
      "channel.channel_id",
      "not in",
      reading.map(({ owner }) => owner.channel_id),
    )
    .where((x) => x.not(x.or(reading.map(({ reads }) => reads))))
    .orderBy("channel.channel_id")
    .execute();
  return rows.map((row) => row.channel_id);
}
