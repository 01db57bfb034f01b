import type { Hub } from "../../../hub.ts";
import { followersAddressOf } from "../../identity/xchans/actors.ts";
import { comparableId } from "../../identity/xchans/foreign-ids.ts";
import { findXchan } from "../../identity/xchans/xchans.ts";
import type { Item } from "../types.ts";
import type { Audience } from "./readers.ts";

/**
 * Is an answer for all who have the private thread of somebody elsewhere? People there address its owner then, who hands it on
 * (federation contract 6.3).
 */
export async function isForThread(hub: Hub, top: Item, audience: Audience): Promise<boolean> {
  if (top.item_private === 0 || audience.followers) return false;
  const owner = await findXchan(hub, { id: top.owner_id });
  const collection = owner && (await followersAddressOf(hub, owner.xchan_id));
  return [owner?.xchan_hash, collection].some((address) => address && audience.addresses.has(comparableId(address)));
}
