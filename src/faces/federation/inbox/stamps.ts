import { isSameId, isSameOrigin } from "../../../domain/identity/xchans/foreign-ids.ts";
import { refusal } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { isGenuine } from "../authority.ts";
import { retrieve } from "../retrieve/retrieve.ts";

/** What a stamp on a quotation has to say: which post quotes which, and whose that is; all by their ids. */
export type Stamped = { quoting: string; quoted: string; author: string };

/** Does a stamp stand at this id, by whoever is quoted, on this quotation (federation contract 7)? Throws unavailable. */
export async function isStamp(hub: Hub, id: string, { quoting, quoted, author }: Stamped): Promise<boolean> {
  if (!isSameOrigin(id, author) || !isSameOrigin(id, quoted)) return false;
  const found = await retrieve(hub, id);
  if ("fault" in found) {
    if (found.fault === "unavailable") throw refusal("not_fetched");
    return false;
  }
  const { node, fetched } = found;
  const says = (name: string, wanted: string): boolean => isSameId(node.oneId(name) ?? "", wanted);
  return (
    node.types.includes("QuoteAuthorization") &&
    isGenuine(node.id, author, { fetched }) &&
    says("attributedTo", author) &&
    says("interactingObject", quoting) &&
    says("interactionTarget", quoted)
  );
}
