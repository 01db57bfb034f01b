import { missing } from "../../../errors.ts";
import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { ownCopyOf } from "../find.ts";
import { fanOutAnswers } from "../delivery/fan-out.ts";
import { lockThread } from "../queries.ts";
import { loadItem, saveItem, loadTop } from "../save.ts";
import type { Item } from "../types.ts";

/**
 * The channel's own copy of an item that it may see; made, with its whole thread, when it has none yet: what people
 * star or answer belongs to their stream from then on.
 */
export async function ensureCopy(hub: Hub, channel: Channel, seen: Item): Promise<Item> {
  if (seen.uid === channel.channel_id) return seen;
  const own = await ownCopyOf(hub, channel.channel_id, seen.message_id);
  if (own) return own;
  const top = await loadTop(hub, seen);
  await lockThread(hub, top.message_id);
  await copyThread(hub, channel, await loadItem(hub, top.id));
  const copy = await ownCopyOf(hub, channel.channel_id, seen.message_id);
  if (!copy) throw missing("Item");
  return copy;
}

async function copyThread(hub: Hub, channel: Channel, top: Item): Promise<void> {
  if (top.item_normal === 0) throw missing("Item");
  const own = (await ownCopyOf(hub, channel.channel_id, top.message_id)) ?? (await copyTop(hub, channel, top));
  await fanOutAnswers(hub, top, [channel]);
  await hub.db
    .updateTable("item")
    .set({ item_unseen: 0 })
    .where("parent", "=", own.id)
    .where("item_unseen", "=", 1)
    .execute();
}

/** Who may see it besides is the owner's business: the lists stay there. */
async function copyTop(hub: Hub, channel: Channel, top: Item): Promise<Item> {
  const own = await saveItem(hub, {
    uid: channel.channel_id,
    aid: channel.channel_account_id,
    message_id: top.message_id,
    author_id: top.author_id,
    owner_id: top.owner_id,
    source_id: top.source_id,
    created: top.created,
    public_policy: top.public_policy,
    comment_policy: top.comment_policy,
    item_private: top.item_private,
    item_kind: top.item_kind,
    item_direct: top.item_direct,
    item_kept: 1,
  });
  return own ? loadItem(hub, own.id) : revive(hub, channel, top);
}

/** The channel dropped its copies of the thread, or they expired; now it wants them back. */
async function revive(hub: Hub, channel: Channel, top: Item): Promise<Item> {
  const own = await hub.db
    .selectFrom("item")
    .select("id")
    .where("uid", "=", channel.channel_id)
    .where("message_id", "=", top.message_id)
    .executeTakeFirstOrThrow();
  const kept = hub.db
    .selectFrom("item as there")
    .select("there.message_id")
    .where("there.parent", "=", top.id)
    .where("there.item_deleted", "=", 0);
  await hub.db
    .updateTable("item")
    .set({ item_deleted: 0, item_pending_remove: 0, changed: now(hub) })
    .where("parent", "=", own.id)
    .where("message_id", "in", kept)
    .execute();
  await hub.db.updateTable("item").set({ item_kept: 1 }).where("id", "=", own.id).execute();
  return loadItem(hub, own.id);
}
