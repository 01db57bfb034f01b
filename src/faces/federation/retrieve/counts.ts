import { listsOf, recordCounts } from "../../../domain/identity/xchans/actor-details.ts";
import { isSameOrigin } from "../../../domain/identity/xchans/foreign-ids.ts";
import type { Hub } from "../../../hub.ts";
import { readCollection } from "../translate/collection.ts";
import { retrieve } from "./retrieve.ts";

/** The job that reads how many followers and posts an actor claims to have, from its own lists. */
export async function countActor(hub: Hub, id: string): Promise<void> {
  const lists = await listsOf(hub, id);
  if (!lists) return;
  const [followers, following, posts] = await Promise.all(
    [lists.followers, lists.following, lists.outbox].map((list) => countOf(hub, id, list)),
  );
  await recordCounts(hub, id, { followers, following, posts });
}

async function countOf(hub: Hub, actor: string, list: string): Promise<number | undefined> {
  if (!isSameOrigin(actor, list)) return undefined;
  const found = await retrieve(hub, list);
  return "fault" in found ? undefined : readCollection(found.node)?.totalItems;
}
