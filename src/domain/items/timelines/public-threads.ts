import type { Hub } from "../../../hub.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import { visibleTo } from "../../permissions/visible.ts";
import { no, selectItems, withoutUnwanted, yes } from "../queries.ts";
import { listed, notHidden, shown } from "./timeline-sources.ts";
import type { Item } from "../types.ts";
import { cutPage } from "../../../storage/key-page.ts";

/** A page of a list by its ids: `before` is the last page's `next`. */
export type PageBefore = { before?: number | undefined; count: number };

/** Public threads that began on this hub, by people who do not hide, as far as the observer may and wants to see them; newest first. */
export async function publicThreads(
  hub: Hub,
  observer: Observer,
  { before, count }: PageBefore,
): Promise<{ items: Item[]; next: number | undefined }> {
  const threads = selectItems(hub)
    .where(shown)
    .where("item.item_wall", "=", yes)
    .where("item.item_origin", "=", yes)
    .where("item.item_private", "=", no)
    .where("item.item_thread_top", "=", yes)
    .where(visibleTo(hub, observer))
    .where(notHidden)
    .where(listed);
  const wanted = observer.channelId > 0 ? withoutUnwanted(threads, observer.channelId, "ignored too") : threads;
  const rows = await (before === undefined ? wanted : wanted.where("item.id", "<", before))
    .orderBy("item.id", "desc")
    .limit(count + 1)
    .execute();
  const { page: items, next } = cutPage(rows, count, (row) => row.id);
  return { items, next };
}
