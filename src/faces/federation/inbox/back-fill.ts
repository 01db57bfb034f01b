import { isLeftOut } from "../../../domain/delivery/backlog.ts";
import { featuredAddressOf, outboxOf } from "../../../domain/identity/xchans/actors.ts";
import { findXchan } from "../../../domain/identity/xchans/xchans.ts";
import { mostPins } from "../../../domain/items/pins.ts";
import { isSameOrigin } from "../../../domain/identity/xchans/foreign-ids.ts";
import { fetchLater, putOffBackFill } from "../../../domain/items/receiving/fetch-later.ts";
import type { BackFill } from "../../../domain/items/receiving/fetch-later.ts";
import { isKnown } from "../../../domain/items/receiving/place.ts";
import { receivePins } from "../../../domain/items/receiving/receive-pins.ts";
import { HubError } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { retrieve } from "../retrieve/retrieve.ts";
import { readCollection } from "../translate/collection.ts";
import { Node } from "../translate/node.ts";
import { takePublicTop } from "./originals.ts";

/** So many of the newest posts are fetched (federation contract 6.6). */
const mostPosts = 20;

/**
 * Somebody elsewhere has a new reader here, who finds their newest posts; a job. Which ones these are is asked first; each is
 * fetched by a job of its own, one after the other. It waits while the hub has too much to do.
 */
export async function backFill(hub: Hub, payload: BackFill): Promise<void> {
  if (await isLeftOut(hub, "back-fill")) return putOffBackFill(hub, payload);
  const { person, posts, pins } = payload;
  if (posts === undefined) return begin(hub, payload);
  const [next, ...others] = posts;
  if (next !== undefined) await fetchOne(hub, next);
  await goOn(hub, { person, posts: others, pins });
}

/** What they have pinned is fetched with the newest, as far as it is older. */
async function begin(hub: Hub, { person, missed }: BackFill): Promise<void> {
  const newest = await newestPosts(hub, person);
  const pins = await pinnedPosts(hub, person);
  const older = (pins ?? []).filter((id) => !newest.includes(id));
  const posts = [...older, ...newest];
  await goOn(hub, { person, posts: missed ? await unknownOf(hub, posts) : posts, pins });
}

/** A new reader gets what others have here already; whoever has had it needs the rest. */
async function unknownOf(hub: Hub, posts: readonly string[]): Promise<string[]> {
  const unknown: string[] = [];
  for (const id of posts) if (!(await isKnown(hub, id))) unknown.push(id);
  return unknown;
}

async function goOn(hub: Hub, filling: BackFill & { posts: string[] }): Promise<void> {
  const { person, posts, pins } = filling;
  if (posts.length > 0) return fetchLater(hub, filling);
  const xchan = pins && (await findXchan(hub, { id: person }));
  if (xchan) await receivePins(hub, xchan, pins);
}

/** Their ids, the oldest first, as far as the first page of the outbox names them. */
async function newestPosts(hub: Hub, person: number): Promise<string[]> {
  const outbox = await outboxOf(hub, person);
  const items = (await firstItems(hub, outbox)) ?? [];
  const posts = items.flatMap((item) => (item instanceof Node ? postMadeBy(item) : []));
  return posts
    .filter((id) => isSameOrigin(id, outbox))
    .slice(0, mostPosts)
    .toReversed();
}

/** What they have on top of their page, by ids; undefined where that is not said. */
async function pinnedPosts(hub: Hub, person: number): Promise<string[] | undefined> {
  const xchan = await findXchan(hub, { id: person });
  const featured = xchan ? await featuredAddressOf(hub, xchan.xchan_hash) : "";
  const items = await firstItems(hub, featured);
  const ids = items?.flatMap((item) => (typeof item === "string" ? item : (item.id ?? [])));
  return ids && [...new Set(ids)].filter((id) => isSameOrigin(id, featured)).slice(0, mostPins);
}

/** What a collection names, or the first page of it; undefined where it cannot be had. */
async function firstItems(hub: Hub, address: string): Promise<(Node | string)[] | undefined> {
  const collection = address === "" ? undefined : await collectionAt(hub, address);
  const first = collection?.first;
  const page = typeof first === "string" ? await collectionAt(hub, first) : first && readCollection(first);
  return collection && [...(page?.items ?? []), ...collection.items];
}

async function collectionAt(hub: Hub, url: string) {
  const found = await retrieve(hub, url);
  return "fault" in found ? undefined : readCollection(found.node);
}

/** Shares and other deeds are for those who followed at the time. */
function postMadeBy(activity: Node): string[] {
  return activity.types.includes("Create") ? activity.ids("object").slice(0, 1) : [];
}

/** What is not there, is left out. */
async function fetchOne(hub: Hub, id: string): Promise<void> {
  try {
    await takePublicTop(hub, id);
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    hub.log.debug("{id} was not fetched: {error}", { id, error });
  }
}
