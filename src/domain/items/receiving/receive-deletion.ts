import { inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { isSameOrigin } from "../../identity/xchans/foreign-ids.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { rememberDeletedElsewhere } from "../deleted-ids.ts";
import { withdrawContact } from "../first-contacts.ts";
import { forgetReactions } from "../delivery/notices.ts";
import { deleteForAll } from "../posting/delete.ts";
import { loadItem } from "../save.ts";
import { tombstoneMessages } from "../tombstones.ts";
import { reactionOf } from "../vocabulary.ts";
import { anyCopyOf, copyInThreadOf } from "../find.ts";
import { isKeptByOthers, takeFromGroup } from "../group-posts.ts";
import { findKnownMessage } from "./known-message.ts";
import { passOn } from "./pass-on.ts";
import type { KnownMessage } from "./known-message.ts";

/**
 * Somebody of elsewhere deletes what they wrote or did: it goes from this hub, and does not come back. An id of theirs that is not
 * known is remembered all the same (federation contract 3.1). `document` is how they said so.
 */
export async function receiveDeletion(
  hub: Hub,
  author: Pick<Xchan, "xchan_id" | "xchan_hash">,
  id: string,
  document: string,
): Promise<void> {
  if (!isSameOrigin(author.xchan_hash, id)) return;
  await inTransaction(hub, async (hub) => {
    const known = await findKnownMessage(hub, id);
    if (known && known.author_id !== author.xchan_id) return;
    if (known) await passOn(hub, known, document, () => removeMessage(hub, known));
    await withdrawContact(hub, author.xchan_id, id);
    await rememberDeletedElsewhere(hub, id, now(hub));
  });
}

/**
 * The owner of a thread elsewhere takes out what somebody else wrote in it; whoever else calls changes nothing. What somebody here posted
 * to a group stays with them, and what is theirs to others as well, or stands in a thread of theirs, stays with those.
 */
export async function takeOut(hub: Hub, owner: Pick<Xchan, "xchan_id">, id: string): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const known = await findKnownMessage(hub, id);
    if (!known || known.author_id === owner.xchan_id) return;
    const copy = await copyInThreadOf(hub, known.id, owner.xchan_id);
    if (!copy) return;
    if (await isKeptByOthers(hub, copy, owner.xchan_id)) return takeFromGroup(hub, copy);
    await removeMessage(hub, known);
    await rememberDeletedElsewhere(hub, id, now(hub));
  });
}

/** Removes a message from every channel, with what hangs on it. Part of a transaction. */
export async function removeMessage(hub: Hub, known: Pick<KnownMessage, "id">): Promise<void> {
  const copy = await anyCopyOf(hub, known.id);
  if (!copy) return tombstoneMessages(hub, [known.id]);
  if (reactionOf(copy.verb) !== undefined && copy.thr_parent_id > 0)
    await forgetReactions(hub, [copy], await loadItem(hub, copy.thr_parent_id));
  await deleteForAll(hub, copy);
}
