import type { Hub } from "../../hub.ts";
import { hasLink, linkedPage } from "../bodies/linked-page.ts";
import { personalise } from "../bodies/personalise.ts";
import { isForeignId } from "../identity/xchans/foreign-ids.ts";
import { forgetLinks, recordLink } from "../link-cards/link-cards.ts";
import type { SaidCard } from "../link-cards/said-card.ts";
import { attachedTo } from "./attached.ts";
import type { Item } from "./types.ts";

type Linking = {
  id: number;
  html: string;
  attach: string;
  isPublic: boolean;
  /** What its author says of a page. */
  said?: SaidCard | undefined;
};

/**
 * Notes the page to which a message leads, for its card: by what anybody reads of it, since all see that. Only what everybody may read has that page asked: its server learns that
 * somebody links to it, and an address may be a secret. Part of a transaction.
 */
export async function recordLinkedPage(
  hub: Hub,
  { id, html, attach, isPublic, said }: Linking,
  from: "here" | "elsewhere",
): Promise<void> {
  const url = linkedPage(personalise(html, undefined), hub.config.baseUrl) ?? attachedPage(attach);
  if (url === undefined) return;
  await recordLink(hub, id, url, {
    mayAsk: isPublic,
    atOnce: from === "here",
    said: said?.url === url ? said : undefined,
  });
}

/** The same for a message that has been changed. */
export async function renewLinkedPage(hub: Hub, linking: Linking, from: "here" | "elsewhere"): Promise<void> {
  await forgetLinks(hub, [linking.id]);
  await recordLinkedPage(hub, linking, from);
}

/** What counts of an item. */
export function linkingOf(
  item: Pick<Item, "message_id" | "html" | "attach" | "item_private" | "item_delayed" | "item_blocked">,
): Linking {
  const isPublic = item.item_private === 0 && item.item_delayed === 0 && item.item_blocked === 0;
  return { id: item.message_id, html: item.html, attach: item.attach, isPublic };
}

/** Is it worth while to look for the page of a message? */
export function mayLink({ html, attach }: Pick<Item, "html" | "attach">): boolean {
  return hasLink(html) || attach !== "";
}

/** A page that somebody elsewhere has attached, as link aggregators do with what a post is about. */
function attachedPage(attach: string): string | undefined {
  const pages = attachedTo(attach).filter(({ type }) => type === "text/html");
  return pages.map(({ href }) => String(href)).find(isForeignId);
}
