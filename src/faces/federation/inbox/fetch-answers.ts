import { isLeftOut } from "../../../domain/delivery/backlog.ts";
import { isSameId, isSameOrigin } from "../../../domain/identity/xchans/foreign-ids.ts";
import { findXchan } from "../../../domain/identity/xchans/xchans.ts";
import { isDeleted } from "../../../domain/items/deleted-ids.ts";
import { isKnown } from "../../../domain/items/receiving/place.ts";
import { receivePost } from "../../../domain/items/receiving/receive-post.ts";
import {
  beginAgain,
  endFetch,
  fetchFurther,
  findFetchable,
  recordCame,
  watchOn,
} from "../../../domain/items/receiving/thread-fetch.ts";
import { wholePost } from "../../../domain/items/receiving/whole-post.ts";
import type { Fetching } from "../../../domain/items/receiving/thread-fetch.ts";
import type { Item } from "../../../domain/items/types.ts";
import { HubError } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { counting } from "../retrieve/counting.ts";
import { retrieve } from "../retrieve/retrieve.ts";
import type { Found } from "../retrieve/retrieve.ts";
import { readCollection } from "../translate/collection.ts";
import type { Node } from "../translate/node.ts";
import { beginWalk, deepest, nextStop, stopsIn, walkOn } from "./answers-walk.ts";
import type { Findings, Stop } from "./answers-walk.ts";
import { postFound } from "./originals.ts";
import { takeStamped } from "./stamped.ts";

/** So long the hub has for what is more urgent. */
const delay = 15 * 60_000;

/**
 * Fetches what is missing of a public thread of another hub, one document at a time; a job. Collections only say what there may be:
 * each answer counts as its own origin has it (federation contract 6.6).
 */
export async function fetchAnswers(hub: Hub, fetching: Fetching): Promise<void> {
  const { message, walk: given, watched = 0 } = fetching;
  const top = await findFetchable(hub, message);
  if (!top) return;
  // Looking again is what can wait most.
  if (!given && watched > 0 && ((await isLeftOut(hub, "back-fill")) || !(await beginAgain(hub, message))))
    return watchOn(hub, fetching);
  const walk = given ?? beginWalk(top.mid);
  const next = nextStop(walk);
  const now = hub.clock().getTime();
  if (!next) return endFetch(hub, fetching);
  if (await isLeftOut(hub, "back-fill"))
    return fetchFurther(hub, { ...fetching, walk: { ...walk, step: walk.step + 1 } }, now + delay);
  const asked = new Map<string, number>();
  const findings = await ask(counting(hub, asked), top, next.stop);
  const rest = walkOn(walk, next.stop, findings, asked, hub.clock().getTime());
  const then = nextStop(rest);
  if (then) await fetchFurther(hub, { ...fetching, walk: rest }, then.at);
  else await endFetch(hub, fetching);
}

async function ask(hub: Hub, top: Item, one: Stop): Promise<Findings> {
  const isHere = one.page === undefined && one.level > 0 && (await isKnown(hub, one.url));
  if (isHere && one.level === deepest) return { found: [] };
  if (await isDeleted(hub, one.url)) return { found: [] };
  const found = await retrieve(hub, one.url);
  // Whoever has too much to do, or says when to come again, is not asked for more.
  if ("fault" in found) return { found: insteadOf(one), isAway: found.fault === "unavailable" };
  if (one.page !== undefined) return { found: await inCollection(hub, top, one, found) };
  if (!isOwn(one.url, found)) return { found: [] };
  if (one.level === 0) return { found: waysDown(found.node) };
  if (!isHere && !(await take(hub, top, one.url, found))) return { found: one.again ? [] : [{ ...one, again: true }] };
  return { found: one.level < deepest ? repliesOf(found.node, one.level + 1) : [] };
}

/** Is it what its own origin has at this id? */
function isOwn(id: string, { node, fetched }: Found): boolean {
  return node.id !== undefined && isSameId(node.id, id) && isSameOrigin(fetched.at, id);
}

/** Answers false where it answers something that is not here, and may be later. */
async function take(hub: Hub, { message_id }: Item, id: string, found: Found): Promise<boolean> {
  try {
    const post = await postFound(hub, id, found);
    if (!post || post.inReplyTo === undefined || post.audience.for === "named") return true;
    const receive = () => receivePost(hub, wholePost(hub, post), { isEdit: false });
    if ((await takeStamped(hub, post, post.author.xchan_hash, receive)) === "elsewhere") return false;
    if (await isKnown(hub, id)) await recordCame(hub, message_id);
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    hub.log.debug("{id} was not fetched: {error}", { id, error });
  }
  return true;
}

/** Where the answers to the top of a thread are listed, the best list first. */
function waysDown(node: Node): Stop[] {
  const lists = ["contextHistory", "context"].flatMap((name) => node.ids(name).slice(0, 1));
  const replies = repliesOf(node, 1);
  const [first, ...instead] = [
    ...lists.map((url) => ({ url, level: deepest })),
    ...replies.filter(({ page }) => page !== undefined).map(({ url, level }) => ({ url, level })),
  ];
  if (!first || lists.length === 0) return replies;
  return [{ ...first, page: 1, instead }, ...replies.filter(({ page }) => page === undefined)];
}

/** What the post itself says of answers to it; a list of another origin says nothing. */
function repliesOf(node: Node, level: number): Stop[] {
  const { id } = node;
  const [replies] = node.members("replies");
  if (id === undefined || replies === undefined) return [];
  const collection = typeof replies === "string" ? undefined : readCollection(replies);
  const linked = typeof replies === "string" ? [{ url: replies, level, page: 1 }] : [];
  const within = collection ? stopsIn(collection, level, 0) : [];
  // Some only name the list there.
  const named = collection?.id !== undefined && within.length === 0 ? [{ url: collection.id, level, page: 1 }] : [];
  return [...linked, ...within, ...named].filter(({ url, page }) => page === undefined || isSameOrigin(url, id));
}

async function inCollection(hub: Hub, top: Item, one: Stop, found: Found): Promise<Stop[]> {
  const collection = readCollection(found.node);
  if (!collection || !isOwn(one.url, found)) return insteadOf(one);
  if (one.instead && !(await isOfThread(hub, top, one.url, collection.attributedTo))) return insteadOf(one);
  const stops = stopsIn(collection, one.level, one.page ?? 1);
  const own = stops.filter(({ url, page }) => page === undefined || isSameOrigin(url, one.url));
  return own.length === 0 ? insteadOf(one) : own;
}

/** May this list say what belongs to the thread: is it of the same origin as its top, or of the owner, who says so there? */
async function isOfThread(hub: Hub, top: Item, url: string, attributedTo: readonly string[]): Promise<boolean> {
  if (isSameOrigin(url, top.mid)) return true;
  const owner = (await findXchan(hub, { id: top.owner_id }))?.xchan_hash ?? "";
  return isSameOrigin(url, owner) && attributedTo.some((id) => isSameId(id, owner));
}

/** Where one list leads nowhere, the next one may. */
function insteadOf({ instead: [first, ...others] = [] }: Stop): Stop[] {
  return first ? [{ ...first, page: 1, instead: others }] : [];
}
