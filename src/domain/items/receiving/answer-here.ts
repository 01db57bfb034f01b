import { missing } from "../../../errors.ts";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { loadTerms } from "../assemble.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { observerElsewhere } from "../../identity/channels/observer.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { visibleTo } from "../../permissions/visible.ts";
import type { CommentPolicy } from "../comment-policy.ts";
import { isDeleted } from "../deleted-ids.ts";
import { reachOwner } from "../posting/comment.ts";
import type { Answer } from "../posting/comment.ts";
import { judge } from "../posting/open-thread.ts";
import { lockThread, selectItems, yes } from "../queries.ts";
import type { Item } from "../types.ts";
import { termTypes } from "../vocabulary.ts";
import type { Thread } from "./place.ts";
import type { ReceivedDeed } from "./received.ts";
import type { StoredMessage } from "./store-message.ts";

/** A thread that is owned by a channel of this hub. */
export type ThreadHere = Thread & { owner: Channel };

/** What is known of an answer before its message is stored. */
export type Answering = Omit<Answer, "message_id" | "held"> &
  Pick<ReceivedDeed, "mid" | "author" | "via"> & {
    /** A reaction that waits like a comment, where those of its author do. */
    mayWait?: boolean;
  };

/**
 * Puts an answer or reaction of somebody elsewhere into a thread of this hub, as far as its owner lets them (federation contract
 * 6.2): onto the owner's wall, and from there to everybody who has the thread. Answers whether it waits to be let in. Throws denied,
 * and missing where they do not see what they answer.
 */
export async function answerHere(
  hub: Hub,
  { owner, top, answered }: ThreadHere,
  { mid, author, via, mayWait = false, ...answer }: Answering,
  store: (hub: Hub) => Promise<StoredMessage>,
): Promise<boolean> {
  return inTransaction(hub, async (hub) => {
    await lockThread(hub, top.message_id);
    if (await isDeleted(hub, mid)) throw missing("Item");
    const { wallTop, commentPolicy } = await admit(hub, { top, answered }, author, via);
    const held = commentPolicy.held && (answer.item_notshown === 0 || mayWait);
    const { id } = await store(hub);
    await reachOwner(hub, undefined, owner, wallTop, answered.message_id, { ...answer, message_id: id, held });
    return held;
  });
}

/**
 * Lets somebody of elsewhere into a thread of this hub, which is locked. Whom a group lets in may answer what was posted to that
 * group (federation contract 6.5). Throws missing, denied.
 */
export async function admit(
  hub: Hub,
  { top, answered }: Pick<Thread, "top" | "answered">,
  author: Xchan,
  via?: Xchan,
): Promise<{ wallTop: Item; commentPolicy: CommentPolicy }> {
  const wallTop = await seenBy(hub, author, top.id);
  if (!wallTop || !(await seenBy(hub, author, answered.id))) throw missing("Item");
  const isNamed = await names(hub, wallTop, via ? [author, via] : [author]);
  const { commentPolicy } = await judge(hub, observerElsewhere(author), wallTop, isNamed);
  return { wallTop, commentPolicy };
}

async function seenBy(hub: Hub, author: Xchan, id: number): Promise<Item | undefined> {
  return selectItems(hub)
    .where("item.id", "=", id)
    .where("item.item_normal", "=", yes)
    .where(visibleTo(hub, observerElsewhere(author)))
    .executeTakeFirst();
}

async function names(hub: Hub, { message_id }: Item, people: readonly Xchan[]): Promise<boolean> {
  const terms = (await loadTerms(hub, [message_id], 0)).get(message_id) ?? [];
  return terms.some(
    ({ ttype, url }) => ttype === termTypes.mention && people.some(({ xchan_url }) => url === xchan_url),
  );
}
