import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { missing } from "../../../errors.ts";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { keyPage } from "../../../storage/key-page.ts";
import type { KeyPage, KeyWindow } from "../../../storage/key-page.ts";
import { findShare } from "../../bodies/share.ts";
import { observerOf } from "../../identity/channels/observer.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { visibleTo } from "../../permissions/visible.ts";
import { deleteItem } from "./delete.ts";
import { findStatus } from "../find.ts";
import type { ItemRef } from "../find.ts";
import { no, selectStatuses, sharesPurely, lockThread, withoutUnwanted, yes } from "../queries.ts";
import { shareItem } from "./share.ts";
import { loadItem } from "../save.ts";
import { notOwned, notRepeatedByForum } from "../timelines/timeline-sources.ts";
import type { StatusItem } from "../columns.ts";
import type { Item } from "../types.ts";

/** Posts that repeat another and add nothing to it. */

/** Shares an item again as a post of the channel; what it has shared already stays as it is. Throws missing, denied. */
export async function reshare(hub: Hub, channel: Channel, ref: ItemRef, app: string): Promise<Item> {
  return inTransaction(hub, async (hub) => {
    const original = originalOf(await findStatus(hub, channel, ref));
    await lockThread(hub, original);
    return (await ownReshare(hub, channel, original)) ?? shareItem(hub, channel, ref, app, "as text");
  });
}

/** Deletes the channel's reshare of an item, and answers the item. Throws missing when there is none. */
export async function takeReshareBack(hub: Hub, channel: Channel, ref: ItemRef): Promise<StatusItem> {
  return inTransaction(hub, async (hub) => {
    const named = await findStatus(hub, channel, ref);
    const original = originalOf(named);
    const own = await ownReshare(hub, channel, original);
    if (!own) throw missing("Share");
    const answer = named.message_id === original ? named : await copySeen(hub, channel, original);
    await deleteItem(hub, channel, { id: own.id });
    return answer ?? named;
  });
}

/** The newest reshares of an item that the channel may see. Throws missing. */
export async function resharesOf(hub: Hub, channel: Channel, ref: ItemRef, count: number): Promise<StatusItem[]> {
  const shares = await seenReshares(hub, channel, ref);
  return shares.orderBy("item.id", "desc").limit(count).execute();
}

/** Ids of those who reshared an item, as far as the channel may see it, by key. Throws missing. */
export async function resharersOf(hub: Hub, channel: Channel, ref: ItemRef, window: KeyWindow): Promise<KeyPage> {
  const shares = await seenReshares(hub, channel, ref);
  const people = shares.clearSelect().select("item.author_id as key").distinct();
  return keyPage(hub, people, window);
}

/** The message that a pure reshare repeats, or the item's own. */
function originalOf(item: Item): number {
  return item.shared_id > 0 && findShare(item.body)?.added === "" ? item.shared_id : item.message_id;
}

async function ownReshare(hub: Hub, channel: Channel, original: number): Promise<Item | undefined> {
  const row = await pureReshares(hub, original)
    .where("item.uid", "=", channel.channel_id)
    .where("item.author_id", "=", channel.xchan_id)
    .where("item.item_wall", "=", yes)
    .orderBy("item.id", "desc")
    .executeTakeFirst();
  return row && loadItem(hub, row.id);
}

async function seenReshares(hub: Hub, channel: Channel, ref: ItemRef) {
  const original = originalOf(await findStatus(hub, channel, ref));
  const me = sql<number>`${channel.channel_id}`;
  const shares = pureReshares(hub, original)
    .where(sql<SqlBool>`(item.uid = ${me} or (item.item_wall = 1 and ${notOwned(me)} and ${notRepeatedByForum}))`)
    .where(visibleTo(hub, observerOf(channel)));
  return withoutUnwanted(shares, channel.channel_id, "ignored too");
}

function pureReshares(hub: Hub, original: number) {
  return selectStatuses(hub)
    .where("message.shared_id", "=", original)
    .where("message.shared_id", ">", sql.lit(0))
    .where(sharesPurely())
    .where("item.item_normal", "=", yes)
    .where("item.item_notshown", "=", no);
}

/** The item's message as the channel sees it, if it does. */
async function copySeen(hub: Hub, channel: Channel, messageId: number): Promise<StatusItem | undefined> {
  return selectStatuses(hub)
    .where("item.message_id", "=", messageId)
    .where("item.item_normal", "=", yes)
    .where(visibleTo(hub, observerOf(channel)))
    .where(sql<SqlBool>`(item.uid = ${channel.channel_id} or item.item_wall = 1)`)
    .orderBy(sql`case when item.uid = ${channel.channel_id} then 0 else 1 end`)
    .orderBy("item.id")
    .executeTakeFirst();
}
