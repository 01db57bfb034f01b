import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { sign } from "../identity/xchans/signing.ts";
import type { Item } from "./types.ts";

/**
 * The signature for a changed text of the author's own item. An item that came with a signature which does not hold is
 * never signed (decision 27); a page without any was last changed by somebody else who may write it.
 */
export async function signAgain(
  hub: Hub,
  author: Channel,
  item: Pick<Item, "item_verified" | "item_type" | "sig">,
  body: string,
): Promise<{ sig: string; item_verified: number }> {
  const isDoubtful = item.item_verified === 0 && (item.item_type === 0 || item.sig !== "");
  if (isDoubtful) return { sig: item.sig, item_verified: 0 };
  return { sig: await sign(hub, author.channel_id, body), item_verified: 1 };
}
