import { renderBody } from "../../../domain/bodies/render.ts";
import { personalise } from "../../../domain/bodies/personalise.ts";
import { findShare } from "../../../domain/bodies/share.ts";
import { withoutLinks } from "../../../domain/bodies/without-links.ts";
import type { CalendarEvent } from "../../../domain/events/events.ts";
import type { WrittenHere } from "../../../domain/items/timelines/written-here.ts";
import type { Item } from "../../../domain/items/types.ts";
import type { Hub } from "../../../hub.ts";

/**
 * A text as other hubs get it. They show it to whomever they want, so it is what anybody may read: without what it says to members
 * alone, and without the names of groups (federation contract 5). Nothing else in a document may be taken from the rest of it.
 */

/** The words of a post or an event; of a quotation those that it adds. */
export function textForOthers(hub: Hub, { item, shared }: WrittenHere, event: CalendarEvent | undefined): string {
  const share = shared && findShare(item.body);
  const { baseUrl } = hub.config;
  const html = event?.html ?? (share ? renderBody(share.added, item.mimetype, { baseUrl, name: "" }) : item.html);
  const shown = personalise(html, undefined);
  return namesGroup(hub, shown) ? withoutLinks(shown, (url) => namesGroup(hub, url)) : shown;
}

/** May others have the body as it was written? */
export function isSourceForOthers(hub: Hub, { body, html }: Pick<Item, "body" | "html">): boolean {
  return !namesGroup(hub, body) && personalise(html, undefined) === html;
}

function namesGroup({ config }: Hub, text: string): boolean {
  return text.includes(`${config.baseUrl}/group/`);
}
