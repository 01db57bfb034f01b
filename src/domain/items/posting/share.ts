import { refusal } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { findShare, innermostShare, makeShare } from "../../bodies/share.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findXchan } from "../../identity/xchans/xchans.ts";
import { findStatus } from "../find.ts";
import type { ItemRef } from "../find.ts";
import { postItem } from "./post.ts";
import type { MessageContent } from "../columns.ts";
import type { Item } from "../types.ts";

/**
 * Shares a public item as a new post of the channel; a share of a share repeats the innermost one (native contract
 * 4.5). Texts of other types than bbcode are shared as plain text. Throws missing when it is not seen, denied when it is not public.
 */
export async function shareItem(hub: Hub, channel: Channel, ref: ItemRef, app = ""): Promise<Item> {
  const item = await findStatus(hub, channel, ref);
  if (item.item_private !== 0 || item.body === "") throw refusal("not_shareable");
  return postItem(hub, channel, { body: await shareOf(hub, item), app });
}

/** The block that repeats a post, or what that repeats itself. */
export async function shareOf(hub: Hub, item: MessageContent & Pick<Item, "author_id" | "created">): Promise<string> {
  const shared = isBbcode(item) ? findShare(item.body) : undefined;
  if (shared && shared.added === "") return makeShare(innermostShare(shared.share));
  const author = await findXchan(hub, { id: item.author_id });
  return makeShare({
    author: author?.xchan_name ?? "",
    profile: author?.xchan_url ?? "",
    avatar: author?.xchan_photo_s ?? "",
    link: item.plink,
    posted: item.created,
    messageId: item.mid,
    body: item.title === "" ? bodyOf(item) : `[b]${item.title}[/b]\n${bodyOf(item)}`,
  });
}

function isBbcode({ mimetype }: Pick<Item, "mimetype">): boolean {
  return mimetype === "text/bbcode" || mimetype === "text/x-multicode";
}

/** Plain text must not be read as code. */
function bodyOf(item: Pick<Item, "mimetype" | "body" | "plain">): string {
  return isBbcode(item) ? item.body : `[nobb]${item.plain.replaceAll(/\[\/nobb\]/gi, "")}[/nobb]`;
}
