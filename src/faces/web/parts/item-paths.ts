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
