import { findChannelById } from "../../../domain/identity/channels/channels.ts";
import { handedOnTo, targetsOf } from "../../../domain/items/delivery/elsewhere.ts";
import { sendMessage } from "../../../domain/items/sent-to.ts";
import type { Addressed } from "../../../domain/items/delivery/elsewhere.ts";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { namesOf } from "../../../domain/items/timelines/message-names.ts";
import { findToHandOn } from "../../../domain/items/timelines/written-here.ts";
import type { ToHandOn } from "../../../domain/items/timelines/written-here.ts";
import type { Hub } from "../../../hub.ts";
import { storedJson } from "../../../stored-json.ts";
import { additionOf } from "../present/container.ts";
import { variantsOf } from "./variants.ts";

/**
 * What somebody of elsewhere has written in a thread of this hub goes to those who have the thread, byte by byte as it came, each
 * version once (federation contract 6.2). Nothing where it has been taken away meanwhile, or where it was found and not sent: then
 * nobody else could believe it. What came forwarded is not handed on again: the owner says in a private thread that it is there, also
 * to the hub that it came from, which leaves it to the owner who reads it.
 */
export async function forward(hub: Hub, ownerId: number, message: number): Promise<void> {
  const owner = await findChannelById(hub, ownerId);
  const found = owner && (await findToHandOn(hub, owner, message));
  if (!owner || !found || !isActivity(found.document)) return;
  const { item, document: bytes } = found;
  const { on, back } = await handedOnTo(hub, owner, item);
  const to = targetsOf(on);
  const version = `${item.uuid} ${item.revision}`;
  const handed = { deed: `hand on ${version}`, variant: "", sender: ownerId, objectId: item.mid, bytes, to };
  const told = item.item_private === 0 ? [] : [on, back];
  const added = await Promise.all(told.map((some) => additions(hub, owner, { ...found, version }, some)));
  const all = [...(found.isForwarded || to.length === 0 ? [] : [handed]), ...added.flat()];
  if (all.length > 0) await sendMessage(hub, item, all);
}

/**
 * In a thread that is for some the owner says besides that it belongs there: hubs that know conversation containers take it by that
 * (FEP-171b).
 */
async function additions(
  hub: Hub,
  owner: Channel,
  { item, document, version }: ToHandOn & { version: string },
  addressed: Addressed,
): ReturnType<typeof variantsOf> {
  const top = (await namesOf(hub, [item.parent])).get(item.parent);
  if (!top) return [];
  const about = { thread: top.uuid, version, object: storedJson<object>(document) };
  const activity = (readers: readonly string[]): object => additionOf(hub, owner.channel_address, about, readers);
  const sent = { deed: `add ${version}`, sender: owner, objectId: item.mid, vouched: "by nothing", activity } as const;
  return variantsOf(hub, sent, addressed);
}

/** Others ask for an object at its own address, so there is nothing to hand on. */
export function isActivity(document: string): boolean {
  const value = storedJson<object>(document);
  return "actor" in value || "https://www.w3.org/ns/activitystreams#actor" in value || "as:actor" in value;
}
