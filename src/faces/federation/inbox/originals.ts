import { followersAddressOf } from "../../../domain/identity/xchans/actors.ts";
import { isSameId } from "../../../domain/identity/xchans/foreign-ids.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import { isDeleted } from "../../../domain/items/deleted-ids.ts";
import { keepPublicPost, readersFor, receivePost } from "../../../domain/items/receiving/receive-post.ts";
import type { Reader } from "../../../domain/items/receiving/readers.ts";
import { wholePost } from "../../../domain/items/receiving/whole-post.ts";
import { receiveHandedBack } from "../../../domain/items/receiving/handed-back.ts";
import { isIn, isKnown } from "../../../domain/items/receiving/place.ts";
import type { ReceivedAudience, ReceivedPost } from "../../../domain/items/receiving/received.ts";
import { cache } from "../../../caches.ts";
import { HubError, refusal } from "../../../errors.ts";
import { NotYet } from "../../../fetch/fetch.ts";
import type { Hub } from "../../../hub.ts";
import { isGenuine } from "../authority.ts";
import { metActor } from "../retrieve/actor.ts";
import { counting } from "../retrieve/counting.ts";
import { retrieve } from "../retrieve/retrieve.ts";
import type { Found } from "../retrieve/retrieve.ts";
import { receivedPost } from "../translate/received-post.ts";
import { groupOf } from "./group-of.ts";
import { languagesFor } from "./languages-for.ts";
import { authorIn, postIn, textOf } from "./posts-in.ts";
import { takeStamped } from "./stamped.ts";

/** So many posts above another are fetched (federation contract 6.6). */
const mostAbove = 25;

/** Characters of their documents: a walk that waits is kept in memory. */
const mostAboveInAll = 256 * 1024;
/** One origin is asked only once in so many milliseconds. */
const pause = 5000;

/** What was found so far above a post, the highest first, and when each origin may be asked again. */
type Walk = { chain: ReceivedPost[]; free: Map<string, number> };

/** Of those that wait the oldest begins anew when there are too many. */
const walks = cache<string, Walk>(32);

/**
 * Fetches what a post answers, up to the top of its thread or to what is here, and stores it for these channels. What is not public,
 * or cannot be had, is not there. Throws NotYet: called again after that it goes on where it was. Somebody who waits for it
 * (`byHand`) is not made to wait for that.
 */
export async function fetchThread(
  hub: Hub,
  post: ReceivedPost,
  readers: readonly Reader[],
  { byHand = false } = {},
): Promise<void> {
  const walk = walks(hub).get(post.mid) ?? { chain: [], free: new Map() };
  walks(hub).set(post.mid, walk);
  await walkUp(hub, post, walk, byHand);
  walks(hub).delete(post.mid);
  for (const above of walk.chain) {
    const taking = { isEdit: false, also: readers };
    const came = wholePost(hub, above);
    await takeStamped(hub, above, above.author.xchan_hash, async () => {
      if ((await receivePost(hub, came, taking)) === "elsewhere")
        await receivePost(hub, came, { ...taking, alone: true });
    }).catch(unlessAway);
  }
}

async function walkUp(hub: Hub, post: ReceivedPost, { chain, free }: Walk, byHand: boolean): Promise<void> {
  const seen = new Set([post.mid, ...chain.map(({ mid }) => mid)]);
  const size = (): number => chain.reduce((sum, { document }) => sum + document.length, 0);
  for (;;) {
    const next = (chain[0] ?? post).inReplyTo;
    if (next === undefined || seen.has(next) || chain.length === mostAbove || size() > mostAboveInAll) return;
    if (!URL.canParse(next) || (await isKnown(hub, next))) return;
    const until = free.get(new URL(next).origin) ?? 0;
    if (until > hub.clock().getTime() && !byHand) throw new NotYet(until);
    seen.add(next);
    const asked = new Map<string, number>();
    const above = await fetchPost(counting(hub, asked), next).catch(unlessAway);
    for (const [origin, times] of asked) free.set(origin, hub.clock().getTime() + times * pause);
    if (!above || above.audience.for === "named") return;
    chain.unshift(above);
  }
}

/**
 * The post at this id, as its own origin has it; undefined where there is none that the hub may have. What is known to be deleted is not
 * asked for. Throws unavailable.
 */
async function fetchPost(hub: Hub, id: string): Promise<ReceivedPost | undefined> {
  if (await isDeleted(hub, id)) return undefined;
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
  return receivedPost(post, {
    author,
    followers,
    group,
    inboxes: [],
    document: textOf(found),
    isForwarded: true,
    languages: await languagesFor(hub, post, author),
  });
}

/** Stores a public post that begins a thread for everybody who follows its author; nothing else. Throws unavailable. */
export async function takePublicTop(hub: Hub, id: string): Promise<void> {
  const post = await fetchPost(hub, id);
  if (!post || post.inReplyTo !== undefined || post.audience.for === "named") return;
  await receivePost(hub, wholePost(hub, post), { isEdit: false });
}

/** Keeps what somebody shares, if it is for everybody. Answers whether it was kept. Throws unavailable. */
export async function keepOriginal(hub: Hub, id: string): Promise<boolean> {
  const post = await fetchPost(hub, id);
  if (!post || post.audience.for === "named") return false;
  await keepPublicPost(hub, wholePost(hub, post));
  return true;
}

/**
 * Keeps a post that a group shares because it was posted there, for those who follow the group and are meant: so do groups whose
 * followers know nothing of announced activities (FEP-1b12). Answers whether it is one. Throws unavailable.
 */
export async function keepPosted(hub: Hub, group: Xchan, id: string, given: ReceivedAudience): Promise<boolean> {
  if (group.xchan_pubforum === 0) return false;
  if ((await isIn(hub, group, id)) || (await receiveHandedBack(hub, group, id, given))) return true;
  const post = (await isKnown(hub, id)) ? undefined : await fetchPost(hub, id);
  if (!post || post.audience.for === "named" || post.group?.xchan_id !== group.xchan_id) return false;
  const also = await readersFor(hub, wholePost(hub, { ...post, author: group }));
  const came = wholePost(hub, post);
  if (also.length > 0 && (await receivePost(hub, came, { isEdit: false, also })) === "elsewhere") {
    await fetchThread(hub, post, also);
    await receivePost(hub, came, { isEdit: false, also });
  }
  return true;
}

/** What cannot be had now is not waited for: whoever answered it said something all the same. */
export function unlessAway(error: unknown): undefined {
  if (!(error instanceof HubError) || error.code !== "not_fetched") throw error;
}
