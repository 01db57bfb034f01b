import { cache } from "../../caches.ts";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { countByDate, datesOf, itemsByDate, itemsOf, placesByDate } from "../items/timelines/by-date.ts";
import type { Place, Range } from "../items/timelines/by-date.ts";
import type { FullItem } from "../items/columns.ts";
import type { ItemPage } from "../items/types.ts";
import { fullItems } from "../portable/item-portable.ts";
import { relocatePart } from "./export-channel.ts";
import { many, one } from "./parts.ts";
import { writeWhole } from "./whole.ts";

export type ItemsPageQuery = {
  /** From 0. */
  page: number;
  records: number;
  /** `created`, both inclusive; in the stored form. Without `until` it is the current time. */
  since?: string | undefined;
  until?: string | undefined;
};

/** One page of the channel's own content as a JSON object in pieces, oldest items first. */
export async function exportItemsPage(
  hub: Hub,
  channel: Channel,
  query: ItemsPageQuery,
): Promise<AsyncGenerator<string>> {
  const { places, total } = await pageOf(hub, channel.channel_id, query);
  return writeWhole(hub, channel, [
    relocatePart(hub, channel),
    one("items_total", () => Promise.resolve(String(total))),
    one("items_page", () => Promise.resolve(query.records)),
    many("item", () => portable(hub, itemsOf(hub, channel.channel_id, places))),
  ]);
}

/** How many items all pages together have, and when the oldest and the newest of them were written. */
export async function exportExtent(
  hub: Hub,
  { channel_id: uid }: Channel,
): Promise<{ items: number; first: string; last: string } | undefined> {
  const dates = await datesOf(hub, uid, "everything");
  return dates && { ...dates, items: await countByDate(hub, uid, "everything", {}) };
}

/** Everything between two moments, both inclusive, as a JSON object in pieces: `{relocate, item}`. */
export function exportPeriod(
  hub: Hub,
  channel: Channel,
  period: { since: string; until: string },
): AsyncGenerator<string> {
  return writeWhole(hub, channel, [
    relocatePart(hub, channel),
    many("item", () => portable(hub, itemsByDate(hub, channel.channel_id, "everything", period))),
  ]);
}

async function* portable(hub: Hub, pages: AsyncIterable<ItemPage<FullItem>>): AsyncGenerator<object[]> {
  for await (const page of pages) yield fullItems(page, hub.config.baseUrl);
}

const minutes = 60_000;

type ItemsPlaces = { places: Place[]; total: number };
type PageEnd = { after: Place; total: number; until: number };

const endsOfPages = cache<string, PageEnd>(1000);

/**
 * The places of a page, and how many items there are. Whoever fetches page after page gets each by the key where the last
 * one ended, with the total that was counted for the first: that costs the same however far it is. A page out of turn is
 * counted out from the beginning.
 */
async function pageOf(hub: Hub, uid: number, query: ItemsPageQuery): Promise<ItemsPlaces> {
  const { page, records, since, until } = query;
  const range: Range = { ...(since !== undefined && { since }), until: until ?? now(hub) };
  const ends = endsOfPages(hub);
  const nameOf = (page: number): string => JSON.stringify([uid, since ?? "", until ?? "", records, page]);
  const before = page > 0 ? ends.get(nameOf(page - 1)) : undefined;
  const known = before && before.until > hub.clock().getTime() ? before : undefined;
  const total = known?.total ?? (await countByDate(hub, uid, "everything", range));
  const from = known ? { after: known.after } : { skip: page * records };
  const places = await placesByDate(hub, uid, "everything", range, { ...from, count: records });
  const after = places.at(-1);
  if (after) ends.set(nameOf(page), { after, total, until: hub.clock().getTime() + 10 * minutes });
  return { places, total };
}
