import { HubError, missing, refusal } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { observerOf } from "../../identity/channels/channel.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findChannelByXchan } from "../../identity/channels/channels.ts";
import { mayComment } from "../../permissions/comment.ts";
import { ensureCopy } from "./copies.ts";
import { ownCopyOf } from "../find.ts";
import type { ItemRef } from "../find.ts";
import { showPhotoItem } from "../media/photo-item.ts";
import { findAnswerable } from "../media/photo-thread.ts";
import { lockThread } from "../queries.ts";
import { commentPolicyOf } from "../comment-policy.ts";
import type { CommentPolicy } from "../comment-policy.ts";
import type { Item } from "../types.ts";

/** A thread in which somebody is about to answer: their own copies, and the owner's side as far as it is here. */
export type Thread = {
  top: Item;
  parent: Item;
  owner: Channel | undefined;
  wallTop: Item | undefined;
  commentPolicy: CommentPolicy;
};

/**
 * The thread of an item that the author may answer, with the author's own copy of it (made if need be).
 * Throws missing (not seen), denied (`comments_closed`, `permission_denied`).
 */
export async function openThread(hub: Hub, author: Channel, ref: ItemRef): Promise<Thread> {
  let { seen, top } = await seeThread(hub, author, ref);
  if (await lockThread(hub, top.message_id)) ({ seen, top } = await seeThread(hub, author, { id: seen.id }));
  if (top.item_hidden === 1) {
    await showPhotoItem(hub, top);
    ({ seen, top } = await seeThread(hub, author, { id: seen.id }));
  }
  const judged = await judge(hub, author, top);
  const own = await ensureCopy(hub, author, top);
  const parent = seen.message_id === top.message_id ? own : await ensureCopy(hub, author, seen);
  return { top: own, parent, ...judged };
}

const welcome: CommentPolicy = { unwelcome: false, held: false, refusesRepeats: false };

async function seeThread(hub: Hub, author: Channel, ref: ItemRef): Promise<{ seen: Item; top: Item }> {
  const seen = await findAnswerable(hub, observerOf(author), ref);
  if (seen.item_thread_top === 1) return { seen, top: seen };
  return { seen, top: await findAnswerable(hub, observerOf(author), { id: seen.parent }) };
}

/** Native contract 3.7, by the top on the owner's wall where that is here; who is blocked or ignored there says nothing. */
async function judge(hub: Hub, author: Channel, top: Item): Promise<Omit<Thread, "top" | "parent">> {
  const owner = await findChannelByXchan(hub, top.owner_id);
  const wallTop = owner && (await ownCopyOf(hub, owner.channel_id, top.message_id));
  const commentPolicy = owner ? await commentPolicyOf(hub, owner.channel_id, author) : welcome;
  if (commentPolicy.unwelcome) throw refusal("permission_denied");
  await mayComment(hub, author, wallTop ?? top);
  return { owner, wallTop, commentPolicy: commentPolicy };
}

/** May the author answer in the thread of this top? For pages that show a form or say why there is none. */
export async function mayAnswer(hub: Hub, author: Channel, top: Item): Promise<boolean> {
  try {
    await judge(hub, author, top);
    return true;
  } catch (error) {
    if (error instanceof HubError && error.kind === "denied") return false;
    throw error;
  }
}

/** A direct parent that was named besides the thread must belong to it. Throws missing. */
export async function refuseOtherThread(hub: Hub, author: Channel, ref: ItemRef, thread: Thread): Promise<void> {
  const { top } = await seeThread(hub, author, ref);
  if (top.message_id !== thread.top.message_id) throw missing("Item");
}
