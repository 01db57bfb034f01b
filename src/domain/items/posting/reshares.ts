import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { missing } from "../../../errors.ts";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { keyPage } from "../../../storage/key-page.ts";
import type { KeyPage, KeyWindow } from "../../../storage/key-page.ts";
import { unwantedBy } from "../../connections/unwanted.ts";
import { isPureShare } from "../../bodies/share.ts";
import { isNobody, observerOf } from "../../identity/channels/observer.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { sharesOpenlyElsewhere } from "../../permissions/shared-elsewhere.ts";
import { visibleTo } from "../../permissions/visible.ts";
import { deleteItem } from "./delete.ts";
import { findShown, findStatus } from "../find.ts";
import type { ItemRef } from "../find.ts";
import type { StatusQuery } from "../queries.ts";
import { no, selectStatuses, sharesPurely, lockThread, withoutUnwanted, yes } from "../queries.ts";
import { authorsOf } from "../timelines/likes.ts";
import { loadItems } from "../timelines/search.ts";
import { shareItem } from "./share.ts";
import { loadItem } from "../save.ts";
import { notOwned, notRepeatedByForum } from "../timelines/timeline-sources.ts";
import type { StatusItem } from "../columns.ts";
import type { Item } from "../types.ts";

/** Posts that repeat another and add nothing to it. */

/** Shares an item again as a post of the channel; what it has shared already stays as it is. Throws missing, denied. */
export async function reshare(hub: Hub, channel: Channel, ref: ItemRef, app = ""): Promise<Item> {
  return inTransaction(hub, async (hub) => {
    const original = originalOf(await findStatus(hub, channel, ref));
    await lockThread(hub, original);
    return (await ownReshare(hub, channel, original)) ?? shareItem(hub, channel, ref, app);
  });
}

/** Deletes the channel's reshare of an item; answers the reshare as it was, and the item. Throws missing when there is none. */
export async function takeReshareBack(
  hub: Hub,
  channel: Channel,
  ref: ItemRef,
): Promise<{ share: Item; item: StatusItem }> {
  return inTransaction(hub, async (hub) => {
    const named = await findStatus(hub, channel, ref);
    const original = originalOf(named);
    const share = await ownReshare(hub, channel, original);
    if (!share) throw missing("Share");
    const item = named.message_id === original ? named : await copySeen(hub, observerOf(channel), original);
    await deleteItem(hub, channel, { id: share.id });
    return { share, item: item ?? named };
  });
}

/** The newest reshares of an item that the channel may see, as far as anybody here has a copy. Throws missing. */
export async function resharesOf(hub: Hub, channel: Channel, ref: ItemRef, count: number): Promise<StatusItem[]> {
  const observer = observerOf(channel);
  const original = originalOf(await findShown(hub, observer, ref));
  return seenAmong(hub, observer, pureReshares(hub, original)).orderBy("item.id", "desc").limit(count).execute();
}

/** Ids of those who reshared an item, as far as the channel may know of it, by key. Throws missing. */
export async function resharersOf(hub: Hub, channel: Channel, ref: ItemRef, window: KeyWindow): Promise<KeyPage> {
  const shares = await knownReshares(hub, observerOf(channel), ref);
  return keyPage(hub, shares.select("share.author_id as key").distinct(), window);
}

/** Who reshared an item, as far as the observer may know of it, by the message of each person's newest reshare. Throws missing. */
export async function pageOfReshares(
  hub: Hub,
  observer: Observer,
  ref: ItemRef,
  window: KeyWindow,
): Promise<{ page: KeyPage; authors: Map<number, number> }> {
  const shares = await knownReshares(hub, observer, ref);
  const newest = shares.select((x) => x.fn.max<number>("share.id").as("key")).groupBy("share.author_id");
  const page = await keyPage(hub, newest, window);
  return { page, authors: await authorsOf(hub, "message", page.keys) };
}

/** Posts that quote an item with words of their own, as far as the observer may see them; newest first. Throws missing. */
export async function quotesOf(
  hub: Hub,
  observer: Observer,
  ref: ItemRef,
  { count, after, before, sinceId }: KeyWindow,
): Promise<StatusItem[]> {
  const original = originalOf(await findShown(hub, observer, ref));
  let quotes = seenAmong(hub, observer, sharesOf(hub, original).where(sql<SqlBool>`not ${sharesPurely()}`));
  if (after !== undefined) quotes = quotes.where("item.id", "<", after);
  const above = before ?? sinceId;
  if (above !== undefined) quotes = quotes.where("item.id", ">", above);
  const rows = await quotes
    .orderBy("item.id", before === undefined ? "desc" : "asc")
    .limit(count)
    .execute();
  return before === undefined ? rows : rows.toReversed();
}

/** What a pure reshare repeats, by the copy that the observer may see; every other item, and one whose original is not to be seen, is itself. */
export async function originalSeen(hub: Hub, observer: Observer, item: Item): Promise<Item> {
  const original = originalOf(item);
  if (original === item.message_id) return item;
  const copy = await copySeen(hub, observer, original);
  return copy ? loadItem(hub, copy.id) : item;
}

/**
 * What shows the same as an item, as far as the channel sees it, by one copy each: the post that it repeats or that it is, and the
 * newest pure reshares of that.
 */
export async function showingTheSame(
  hub: Hub,
  channel: Channel,
  item: Pick<Item, "shared_id" | "message_id" | "body">,
): Promise<Item[]> {
  const observer = observerOf(channel);
  const original = originalOf(item);
  const shares = seenAmong(hub, observer, pureReshares(hub, original)).orderBy("item.id", "desc").limit(mostAlike);
  const seen = [await copySeen(hub, observer, original), ...(await shares.execute())];
  return loadItems(
    hub,
    seen.flatMap((one) => (one ? [one.id] : [])),
  );
}

/** One page has hardly more of the same. */
const mostAlike = 20;

/** The message that a pure reshare repeats, or the item's own. */
export function originalOf(item: Pick<Item, "shared_id" | "message_id" | "body">): number {
  return item.shared_id > 0 && isPureShare(item.body) ? item.shared_id : item.message_id;
}

/** The channel's newest reshare of a message. */
async function ownReshare(hub: Hub, channel: Channel, original: number): Promise<Item | undefined> {
  const row = await pureReshares(hub, original)
    .where("item.uid", "=", channel.channel_id)
    .where("item.author_id", "=", channel.xchan_id)
    .where("item.item_wall", "=", yes)
    .orderBy("item.id", "desc")
    .executeTakeFirst();
  return row && loadItem(hub, row.id);
}

/** The messages of an item's reshares: those that the observer sees, and those by people elsewhere which are for everybody, as they are counted. */
async function knownReshares(hub: Hub, observer: Observer, ref: ItemRef) {
  const original = originalOf(await findShown(hub, observer, ref));
  const seen = seenAmong(hub, observer, pureReshares(hub, original)).clearSelect();
  let openly = hub.db
    .selectFrom("message")
    .where("message.shared_id", "=", original)
    .where("message.shared_id", ">", sql.lit(0))
    .where(sharesPurely())
    .where(sharesOpenlyElsewhere("message"));
  if (!isNobody(observer))
    openly = openly.where(sql<SqlBool>`message.author_id not in (${unwantedBy(observer.channelId)})`);
  const columns = ["message.id", "message.author_id"] as const;
  return hub.db.selectFrom(seen.select(columns).union(openly.select(columns)).as("share"));
}

/** Each share by one copy: the observer's own, else that on a wall. */
function seenAmong(hub: Hub, observer: Observer, among: StatusQuery): StatusQuery {
  const me = sql<number>`${observer.channelId}`;
  const shares = among
    .where(sql<SqlBool>`(item.uid = ${me} or (item.item_wall = 1 and ${notOwned(me)} and ${notRepeatedByForum}))`)
    .where(visibleTo(hub, observer));
  return isNobody(observer) ? shares : withoutUnwanted(shares, observer.channelId, "ignored too");
}

function pureReshares(hub: Hub, original: number): StatusQuery {
  return sharesOf(hub, original).where(sharesPurely());
}

function sharesOf(hub: Hub, original: number): StatusQuery {
  return selectStatuses(hub)
    .where("message.shared_id", "=", original)
    .where("message.shared_id", ">", sql.lit(0))
    .where("item.item_normal", "=", yes)
    .where("item.item_notshown", "=", no);
}

/** The item's message as the observer sees it, if they do. */
async function copySeen(hub: Hub, observer: Observer, messageId: number): Promise<StatusItem | undefined> {
  return selectStatuses(hub)
    .where("item.message_id", "=", messageId)
    .where("item.item_normal", "=", yes)
    .where(visibleTo(hub, observer))
    .where(sql<SqlBool>`(item.uid = ${observer.channelId} or item.item_wall = 1)`)
    .orderBy(sql`case when item.uid = ${observer.channelId} then 0 else 1 end`)
    .orderBy("item.id")
    .executeTakeFirst();
}
