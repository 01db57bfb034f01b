import { sql } from "kysely";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { mentionedIn } from "../delivery/concerned.ts";
import { deliverThread } from "../delivery/deliver.ts";
import { mentionsOf } from "../delivery/fan-out.ts";
import { takersAmong } from "../delivery/takers.ts";
import { ownCopyOf } from "../find.ts";
import { giveToGroup, onlyReaderOf } from "../group-posts.ts";
import { lockThread } from "../queries.ts";
import type { Item } from "../types.ts";

/** What people of this hub post to groups of elsewhere, which hand it on to their members (federation contract 6.5; decision 176). */

/**
 * Gives a post of somebody here, which a group of elsewhere hands on, to those of its members whom the group means, as a thread of the
 * group. To its author, too, it is that where it is for the group alone. Answers whether it was posted there. May run twice.
 */
export async function deliverPosted(
  hub: Hub,
  group: Xchan,
  author: Channel,
  posted: Item,
  members: readonly number[],
): Promise<boolean> {
  if (group.xchan_pubforum === 0 || !(await isFor(hub, group, posted))) return false;
  if (posted.item_private !== 0 && posted.owner_id !== group.xchan_id)
    await inTransaction(hub, async (hub) => {
      await lockThread(hub, posted.message_id);
      await giveToGroup(hub, posted, group.xchan_id);
    });
  const top = await ownCopyOf(hub, author.channel_id, posted.message_id);
  if (!top) return false;
  const some = isOneOf(hub.engine, sql.ref("channel.channel_id"), members);
  const wall = top.item_private === 0 ? author.channel_id : undefined;
  const readers = await takersAmong(hub, some, { ...top, owner_id: group.xchan_id }, wall);
  await deliverThread(
    hub,
    top,
    readers.filter(({ channel_id }) => channel_id !== author.channel_id),
    await mentionsOf(hub, top),
    group.xchan_id,
  );
  return true;
}

/** A private post is for the group if it is for nobody else; what everybody may see, if it mentions the group. */
async function isFor(hub: Hub, group: Xchan, posted: Item): Promise<boolean> {
  if (posted.item_private === 0) return (await mentionedIn(hub, posted)).includes(group.xchan_id);
  return onlyReaderOf(posted) === group.xchan_hash;
}
