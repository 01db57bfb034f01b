import { isSameId, isSameOrigin } from "../../../domain/identity/xchans/foreign-ids.ts";
import { refusal } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import type { Interaction } from "../../../domain/items/approvals.ts";
import { isGenuine } from "../authority.ts";
import { interactions } from "../interactions.ts";
import { retrieve } from "../retrieve/retrieve.ts";

/** What a stamp has to say: what is done (`act`) about which post, and whose that is; all by their ids. */
export type Stamped = { act: string; about: string; author: string };

/** Does a stamp of this kind stand at this id, by whoever wrote the post, for that (federation contract 7)? Throws unavailable. */
export async function isStamp(
  hub: Hub,
  kind: Interaction,
  id: string,
  { act, about, author }: Stamped,
): Promise<boolean> {
  if (!isSameOrigin(id, author) || !isSameOrigin(id, about)) return false;
  const found = await retrieve(hub, id);
  if ("fault" in found) {
    if (found.fault === "unavailable") throw refusal("not_fetched");
    return false;
  }
  const { node, fetched } = found;
  const says = (name: string, wanted: string): boolean => isSameId(node.oneId(name) ?? "", wanted);
  if (!isGenuine(node.id, author, { fetched })) return false;
  // Before there were stamps, GoToSocial named the Accept itself.
  if (kind !== "quote" && node.types.includes("Accept")) return says("actor", author) && says("object", act);
  return (
    node.types.includes(interactions[kind].stamp) &&
    says("attributedTo", author) &&
    says("interactingObject", act) &&
    says("interactionTarget", about)
  );
}
