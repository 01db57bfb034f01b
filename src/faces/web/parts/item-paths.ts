import { linkId } from "../../../domain/items/links.ts";
import type { Item } from "../../../domain/items/types.ts";
import type { PageContext } from "../page.ts";

/** Where the thread of an item is shown. */
export function displayPath(context: PageContext, item: Pick<Item, "mid">): string {
  return `/display/${encodeURIComponent(linkId(context.hub.config.baseUrl, item.mid))}`;
}

/** The name of an item on a page: the same whichever copy of it is shown. */
export function anchorOf(item: Pick<Item, "message_id">): string {
  return `m${item.message_id}`;
}

/** The name of a thread on a page, by the top that is shown of it: live events name it so. */
export function threadOf(top: Pick<Item, "id">): string {
  return `thread-${top.id}`;
}

/** The name of what stands below its words. */
export function footOf(item: Pick<Item, "message_id">): string {
  return `foot-${anchorOf(item)}`;
}
