import type { Hub } from "../../../hub.ts";
import { withoutShare } from "../../bodies/share.ts";
import { layOut } from "../../bodies/texts.ts";
import { findChannelByXchan } from "../../identity/channels/channels.ts";
import { withProxiedMedia } from "../../proxy/media-in-html.ts";
import { refreshWords } from "../../search/index-words.ts";
import { anyCopyOf, ownCopyOf } from "../find.ts";
import { forgetFormer } from "../history.ts";
import { forgetQuoteStamp } from "../quote-stamps.ts";
import { touchAll } from "../thread-dates.ts";
import { editItem } from "./edit.ts";
import { emit } from "../../live/emit.ts";

/**
 * Puts a link in the place of what a message quotes, because its author does not want it quoted: whoever wrote the message here has
 * changed it by that. What it said before is forgotten. Part of a transaction.
 */
export async function unquote(hub: Hub, messageId: number, address: string): Promise<void> {
  const item = await anyCopyOf(hub, messageId);
  if (!item || item.shared_id === 0) return;
  const body = withoutShare(item.body, address);
  const author = await findChannelByXchan(hub, item.author_id);
  const own = author && (await ownCopyOf(hub, author.channel_id, messageId));
  if (own) {
    await editItem(hub, author, own.id, { body });
    await forgetFormer(hub, [messageId]);
    return;
  }
  const { html, plain } = await layOut(hub, body, item.mimetype);
  await forgetQuoteStamp(hub, messageId);
  await forgetFormer(hub, [messageId]);
  await hub.db
    .updateTable("message")
    .set({ body, html: withProxiedMedia(hub, html), plain, shared_id: 0 })
    .where("id", "=", messageId)
    .execute();
  await refreshWords(hub, [messageId]);
  await touchAll(hub, messageId);
  await emit(hub, { what: "edit", message: messageId });
}
