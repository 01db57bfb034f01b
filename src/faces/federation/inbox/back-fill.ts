import { isOverloaded } from "../../../domain/delivery/backlog.ts";
import { outboxOf } from "../../../domain/identity/xchans/actors.ts";
import { isSameOrigin } from "../../../domain/identity/xchans/foreign-ids.ts";
import { fetchLater, putOffBackFill } from "../../../domain/items/receiving/fetch-later.ts";
import type { BackFill } from "../../../domain/items/receiving/fetch-later.ts";
import { receivePost } from "../../../domain/items/receiving/receive-post.ts";
import { HubError } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { retrieve } from "../retrieve/retrieve.ts";
import { readCollection } from "../translate/collection.ts";
import { Node } from "../translate/node.ts";
import { fetchPost } from "./originals.ts";

/** So many of the newest posts are fetched (federation contract 6.6). */
const mostPosts = 20;

/**
 * Somebody elsewhere has a new reader here, who finds their newest posts; a job. Which ones these are is asked first; each is
 * fetched by a job of its own, one after the other. It waits while the hub has too much to do.
 */
export async function backFill(hub: Hub, payload: BackFill): Promise<void> {
  if (await isOverloaded(hub)) return putOffBackFill(hub, payload);
  const { person, posts } = payload;
  const [next, ...others] = posts ?? [];
  if (next !== undefined) await fetchNewest(hub, next);
  await fetchLater(hub, person, posts ? others : await newestPosts(hub, person));
}

/** Their ids, the oldest first, as far as the first page of the outbox names them. */
async function newestPosts(hub: Hub, person: number): Promise<string[]> {
  const outbox = await outboxOf(hub, person);
  const collection = outbox === "" ? undefined : await collectionAt(hub, outbox);
  const first = collection?.first;
  const page = typeof first === "string" ? await collectionAt(hub, first) : first && readCollection(first);
  const items = [...(page?.items ?? []), ...(collection?.items ?? [])];
  const posts = items.flatMap((item) => (item instanceof Node ? postMadeBy(item) : []));
  return posts
    .filter((id) => isSameOrigin(id, outbox))
    .slice(0, mostPosts)
    .toReversed();
}

async function collectionAt(hub: Hub, url: string) {
  const found = await retrieve(hub, url);
  return "fault" in found ? undefined : readCollection(found.node);
}

/** Shares and other deeds are for those who followed at the time. */
function postMadeBy(activity: Node): string[] {
  return activity.types.includes("Create") ? activity.ids("object").slice(0, 1) : [];
}

/** Stores a post that begins a thread for everybody who follows its author; nothing else, and nothing that is not there. */
async function fetchNewest(hub: Hub, id: string): Promise<void> {
  try {
    const post = await fetchPost(hub, id);
    if (!post || post.inReplyTo !== undefined || post.audience.for === "named") return;
    await receivePost(hub, post, { isEdit: false });
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    hub.log.debug("{id} was not fetched: {error}", { id, error });
  }
}
