import type { Item } from "./types.ts";

/**
 * The signature of a changed text of the author's own item: `sig`, as a rule. An item that came with a signature which does not hold is
 * never signed (decision 27); a page without any was last changed by somebody else who may write it.
 */
export function signAgain(
  item: Pick<Item, "item_verified" | "item_type" | "sig">,
  sig: string,
): { sig: string; item_verified: number } {
  const isDoubtful = item.item_verified === 0 && (item.item_type === 0 || item.sig !== "");
  if (isDoubtful) return { sig: item.sig, item_verified: 0 };
  return { sig, item_verified: 1 };
}
