import { findChannelById } from "../../../domain/identity/channels/channels.ts";
import { handedOnTo } from "../../../domain/items/delivery/elsewhere.ts";
import { sendMessage } from "../../../domain/items/sent-to.ts";
import { findToHandOn } from "../../../domain/items/timelines/written-here.ts";
import type { Hub } from "../../../hub.ts";
import { storedJson } from "../../../stored-json.ts";

/**
 * What somebody of elsewhere has written in a thread of this hub goes to those who have the thread, byte by byte as it came, each
 * version once (federation contract 6.2). Nothing where it has been taken away meanwhile, or where it was found and not sent: then
 * nobody else could believe it.
 */
export async function forward(hub: Hub, ownerId: number, message: number): Promise<void> {
  const owner = await findChannelById(hub, ownerId);
  const found = owner && (await findToHandOn(hub, owner, message));
  if (!owner || !found || !isActivity(found.document)) return;
  const { item, document: bytes } = found;
  const to = await handedOnTo(hub, owner, item);
  if (to.length === 0) return;
  const deed = `hand on ${item.uuid} ${item.revision}`;
  await sendMessage(hub, item, [{ deed, variant: "", sender: ownerId, objectId: item.mid, bytes, to }]);
}

/** Others ask for an object at its own address, so there is nothing to hand on. */
export function isActivity(document: string): boolean {
  const value = storedJson<object>(document);
  return "actor" in value || "https://www.w3.org/ns/activitystreams#actor" in value || "as:actor" in value;
}
