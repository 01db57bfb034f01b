import { followersAddressOf } from "../../../domain/identity/xchans/actors.ts";
import { isSameId } from "../../../domain/identity/xchans/foreign-ids.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import { keepPublicPost, readersFor, receivePost } from "../../../domain/items/receiving/receive-post.ts";
import type { Reader } from "../../../domain/items/receiving/readers.ts";
import { isIn, isKnown } from "../../../domain/items/receiving/place.ts";
import type { ReceivedPost } from "../../../domain/items/receiving/received.ts";
import { HubError, refusal } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { isGenuine } from "../authority.ts";
import { metActor } from "../retrieve/actor.ts";
import { retrieve } from "../retrieve/retrieve.ts";
import type { Found } from "../retrieve/retrieve.ts";
import { receivedPost } from "../translate/received-post.ts";
import { groupOf } from "./group-of.ts";
import { authorIn, postIn, textOf } from "./posts-in.ts";
import { takeStamped } from "./stamped.ts";

/** So many posts above another are fetched (federation contract 6.6). */
const mostAbove = 25;

/**
 * Fetches what a post answers, up to the top of its thread or to what is here, and stores it for these channels. What is not public,
 * or cannot be had, is not there.
 */
export async function fetchThread(hub: Hub, post: ReceivedPost, readers: readonly Reader[]): Promise<void> {
  const chain: ReceivedPost[] = [];
  const seen = new Set([post.mid]);
  for (let next = post.inReplyTo; next !== undefined && !seen.has(next); next = chain[0]?.inReplyTo) {
    if (chain.length === mostAbove || (await isKnown(hub, next))) break;
    seen.add(next);
    const above = await fetchPost(hub, next).catch(unlessAway);
    if (!above || above.audience.for === "named") break;
    chain.unshift(above);
  }
  for (const above of chain) {
    const taking = { isEdit: false, also: readers };
    await takeStamped(hub, above, above.author.xchan_hash, async () => {
      if ((await receivePost(hub, above, taking)) === "elsewhere")
        await receivePost(hub, above, { ...taking, alone: true });
    }).catch(unlessAway);
  }
}

/** The post at this id, as its own origin has it; undefined where there is none that the hub may have. Throws unavailable. */
export async function fetchPost(hub: Hub, id: string): Promise<ReceivedPost | undefined> {
  const found = await retrieve(hub, id);
  if (!("fault" in found)) return postFound(hub, id, found);
  if (found.fault === "unavailable") throw refusal("not_fetched");
  return undefined;
}

/** The same, where the document that was asked for is there. */
export async function postFound(hub: Hub, id: string, found: Found): Promise<ReceivedPost | undefined> {
  const post = postIn(found.node);
  const writer = authorIn(found.node);
  if (!post || !writer || !isSameId(post.id, id) || !isGenuine(post.id, writer, found)) return undefined;
  const author = await metActor(hub, writer);
  if (!author) return undefined;
  const followers = await followersAddressOf(hub, author.xchan_id);
  const group = await groupOf(hub, post);
  return receivedPost(post, { author, followers, group, inboxes: [], document: textOf(found) });
}

/** Stores a public post that begins a thread for everybody who follows its author; nothing else. Throws unavailable. */
export async function takePublicTop(hub: Hub, id: string): Promise<void> {
  const post = await fetchPost(hub, id);
  if (!post || post.inReplyTo !== undefined || post.audience.for === "named") return;
  await receivePost(hub, post, { isEdit: false });
}

/** Keeps what somebody shares, if it is for everybody. Answers whether it was kept. Throws unavailable. */
export async function keepOriginal(hub: Hub, id: string): Promise<boolean> {
  const post = await fetchPost(hub, id);
  if (!post || post.audience.for === "named") return false;
  await keepPublicPost(hub, post);
  return true;
}

/**
 * Keeps a post that a group shares because it was posted there, for those who follow the group: so do groups whose followers know
 * nothing of announced activities (FEP-1b12). Answers whether it is one. Throws unavailable.
 */
export async function keepPosted(hub: Hub, group: Xchan, id: string): Promise<boolean> {
  if (group.xchan_pubforum === 0) return false;
  if (await isIn(hub, group, id)) return true;
  const post = (await isKnown(hub, id)) ? undefined : await fetchPost(hub, id);
  if (!post || post.audience.for === "named" || post.group?.xchan_id !== group.xchan_id) return false;
  const also = await readersFor(hub, { ...post, author: group });
  if (also.length > 0 && (await receivePost(hub, post, { isEdit: false, also })) === "elsewhere") {
    await fetchThread(hub, post, also);
    await receivePost(hub, post, { isEdit: false, also });
  }
  return true;
}

/** What cannot be had now is not waited for: whoever answered it said something all the same. */
export function unlessAway(error: unknown): undefined {
  if (!(error instanceof HubError) || error.code !== "not_fetched") throw error;
}
