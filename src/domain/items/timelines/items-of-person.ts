import type { Hub } from "../../../hub.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import type { Item } from "../types.ts";
import type { PageBefore } from "./public-threads.ts";
import { publicItemsOf } from "./public-items.ts";
import { loadItems } from "./search.ts";
import { userTimeline } from "./timelines.ts";

/**
 * The newest posts and comments of somebody that are here and that the observer may see: a channel also its own copies, others
 * what stands on walls.
 */
export async function itemsOfPerson(
  hub: Hub,
  observer: Observer | Channel,
  authorId: number,
  place: PageBefore,
): Promise<{ items: Item[]; next: number | undefined }> {
  return "channel_id" in observer
    ? itemsFor(hub, observer, authorId, place)
    : publicItems(hub, observer, authorId, place);
}

async function itemsFor(hub: Hub, channel: Channel, authorId: number, { before, count }: PageBefore) {
  const query = { page: 1, count: count + 1, ...(before !== undefined && { maxId: before - 1 }) };
  const ids = (await userTimeline(hub, channel, authorId, query)).map(({ id }) => id);
  return { items: await loadItems(hub, ids.slice(0, count)), next: ids.length > count ? ids[count - 1] : undefined };
}

async function publicItems(hub: Hub, observer: Observer, authorId: number, place: PageBefore) {
  const { items, next } = await publicItemsOf(hub, observer, authorId, place);
  return {
    items: await loadItems(
      hub,
      items.map(({ id }) => id),
    ),
    next,
  };
}
