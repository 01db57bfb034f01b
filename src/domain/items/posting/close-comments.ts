import { refusal } from "../../../errors.ts";
import { inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { zeroDate } from "../../../storage/sql.ts";
import { observerOf } from "../../identity/channels/observer.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { changeElsewhere } from "../changed.ts";
import { scopeWord } from "../audience.ts";
import { findVisibleItem } from "../find.ts";
import type { ItemRef } from "../find.ts";
import { postSettingsOf } from "../post-settings.ts";
import { lockThread } from "../queries.ts";
import { loadItem, loadTop } from "../save.ts";
import { touchAll } from "../thread-dates.ts";
import type { Item } from "../types.ts";

/**
 * Closes a thread of the channel for comments, or opens it again; any item of it names it. A forum closes only what it
 * re-delivers, not the author's own thread. Throws missing, denied for the threads of others.
 */
export async function closeComments(hub: Hub, owner: Channel, ref: ItemRef, closed: boolean): Promise<Item> {
  return inTransaction(hub, async (hub) => {
    const seen = await findVisibleItem(hub, observerOf(owner), ref);
    const top = await loadTop(hub, seen);
    if (top.uid !== owner.channel_id || top.owner_id !== owner.xchan_id) throw refusal("permission_denied");
    await lockThread(hub, top.message_id);
    await (top.item_uplink === 1 ? closeCopies : closeMessage)(hub, owner, top, closed);
    if (top.item_uplink === 0)
      await changeElsewhere(hub, top, { stamp: `${closed ? "closed" : "opened"} ${now(hub)}` });
    await touchAll(hub, top.message_id);
    return loadItem(hub, top.id);
  });
}

/** Does the thread take comments from nobody? */
export function isClosed(hub: Hub, top: Pick<Item, "item_nocomment" | "comment_policy" | "comments_closed">): boolean {
  const { item_nocomment, comment_policy, comments_closed } = top;
  return (
    item_nocomment === 1 || comment_policy === "none" || (comments_closed !== zeroDate && comments_closed <= now(hub))
  );
}

async function closeMessage(hub: Hub, _owner: Channel, top: Item, closed: boolean): Promise<void> {
  await hub.db
    .updateTable("message")
    .set({ comments_closed: closed ? now(hub) : zeroDate, ...(!closed && { item_nocomment: 0 }) })
    .where("id", "=", top.message_id)
    .execute();
}

async function closeCopies(hub: Hub, owner: Channel, top: Item, closed: boolean): Promise<void> {
  const limits = closed ? undefined : await postSettingsOf(hub, owner.channel_id);
  await hub.db
    .updateTable("item")
    .set({ comment_policy: limits ? scopeWord(hub, limits.post_comments) : "none" })
    .where("message_id", "=", top.message_id)
    .where("owner_id", "=", top.owner_id)
    .execute();
}
