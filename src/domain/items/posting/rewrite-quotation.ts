import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { layOutAnyhow } from "../../bodies/texts.ts";
import { findChannelByXchan } from "../../identity/channels/channels.ts";
import { sign } from "../../identity/xchans/signing.ts";
import { emit } from "../../live/emit.ts";
import { withProxiedMedia } from "../../proxy/media-in-html.ts";
import { refreshWords } from "../../search/index-words.ts";
import { changeElsewhere } from "../changed.ts";
import { anyCopyOf } from "../find.ts";
import { forgetDocument } from "../foreign-documents.ts";
import { forgetFormer } from "../history.ts";
import { linkingOf, renewLinkedPage } from "../linked-page.ts";
import { lockThread } from "../queries.ts";
import { loadTop } from "../save.ts";
import { unshareEdited } from "../share-files.ts";
import { sharing } from "../sharing.ts";
import { signAgain } from "../sign-again.ts";
import { touchAll } from "../thread-dates.ts";
import type { Item } from "../types.ts";

type Quotation = { body: string; shared_id?: number };

/**
 * Changes what a message quotes, and nothing else that it says: not as its author, but because that may be shown no more. What it said
 * before is forgotten. One of this hub is signed anew, and whoever elsewhere got it hears of it; of one of elsewhere the signature does
 * not hold any more, and it is not handed on as it came. Answers whether anything has changed. Part of a transaction.
 */
export async function rewriteQuotation(
  hub: Hub,
  messageId: number,
  rewrite: (quotation: Required<Quotation>) => Quotation,
): Promise<boolean> {
  const copy = await lockedCopy(hub, messageId);
  const message = await hub.db
    .selectFrom("message")
    .select(["author_id", "mimetype", "body", "shared_id", "attach", "sig", "item_verified", "revision"])
    .where("id", "=", messageId)
    .executeTakeFirst();
  if (!message) return false;
  const { body, shared_id = message.shared_id } = rewrite(message);
  if (body === message.body) return false;
  const author = await findChannelByXchan(hub, message.author_id);
  const laidOut = await layOutAnyhow(hub, body, message.mimetype);
  const html = author ? laidOut.html : withProxiedMedia(hub, laidOut.html);
  const { plain } = laidOut;
  const signed = author
    ? signAgain({ ...message, item_type: copy?.item_type ?? 0 }, await sign(hub, author.channel_id, body))
    : { sig: "", item_verified: message.sig === "" ? message.item_verified : 0 };
  const changed = author && { edited: now(hub), revision: message.revision + 1 };
  await hub.db
    .updateTable("message")
    .set({ body, ...sharing(body, shared_id), html, plain, ...signed, ...changed })
    .where("id", "=", messageId)
    .execute();
  await forgetFormer(hub, [messageId]);
  await refreshWords(hub, [messageId]);
  if (author) {
    await unshareEdited(hub, author.channel_id, messageId, { body, attach: message.attach });
    const item = { message_id: messageId, uid: author.channel_id };
    await changeElsewhere(hub, item, { stamp: String(message.revision + 1) });
  } else await forgetDocument(hub, messageId);
  if (!copy) return true;
  await renewLinkedPage(hub, { ...linkingOf(copy), html }, author ? "here" : "elsewhere");
  await touchAll(hub, messageId);
  await emit(hub, { what: "edit", message: messageId });
  return true;
}

/** A copy of it, after everything that is changing it. */
async function lockedCopy(hub: Hub, messageId: number): Promise<Item | undefined> {
  const copy = await anyCopyOf(hub, messageId);
  if (!copy) return undefined;
  const top = await loadTop(hub, copy);
  await lockThread(hub, top.message_id);
  return copy;
}
