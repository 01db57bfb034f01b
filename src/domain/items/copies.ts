import { HubError } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channel.ts";
import { inheritedScope } from "./audience.ts";
import { ownCopyOf } from "./find.ts";
import { loadItem, saveItem } from "./save.ts";
import type { Item } from "./types.ts";

/**
 * The channel's own copy of an item that it may see; made, with the top of its thread, when it has none yet:
 * what people star or answer belongs to their stream from then on (microblog contract 8.4).
 */
export async function ensureCopy(hub: Hub, channel: Channel, seen: Item): Promise<Item> {
  if (seen.uid === channel.channel_id) return seen;
  const own = await ownCopyOf(hub, channel.channel_id, seen.message_id);
  if (own) return own;
  const top = seen.item_thread_top === 1 ? undefined : await ensureCopy(hub, channel, await loadItem(hub, seen.parent));
  const parent = top && seen.thr_parent_id > 0 ? await ownParent(hub, channel, seen.thr_parent_id) : undefined;
  const id = await saveItem(hub, {
    ...inheritedScope(seen),
    uid: channel.channel_id,
    aid: channel.channel_account_id,
    message_id: seen.message_id,
    author_id: seen.author_id,
    owner_id: seen.owner_id,
    source_id: seen.source_id,
    created: seen.created,
    item_notshown: seen.item_notshown,
    item_unseen: 0,
    ...(top && { parent: top.id, thr_parent_id: parent?.id ?? 0 }),
  });
  // Only a copy that was deleted here can still be in the way.
  if (id === undefined) throw new HubError("missing", "Item not found.");
  return loadItem(hub, id);
}

async function ownParent(hub: Hub, channel: Channel, foreignId: number): Promise<Item | undefined> {
  const foreign = await loadItem(hub, foreignId);
  return ownCopyOf(hub, channel.channel_id, foreign.message_id);
}
