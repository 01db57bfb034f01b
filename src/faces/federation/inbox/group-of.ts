import { findGroup } from "../../../domain/identity/xchans/actors.ts";
import { isSameId, isSameOrigin } from "../../../domain/identity/xchans/foreign-ids.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import type { Hub } from "../../../hub.ts";
import { everybody } from "../everybody.ts";
import { metActor } from "../retrieve/actor.ts";
import type { Incoming } from "./incoming.ts";
import type { Post } from "../translate/object.ts";

/**
 * The group of elsewhere to which somebody has posted (FEP-1b12; federation contract 6.5): the one that the post names as its
 * audience, else one that is known here and that it is addressed to, else the one that hands it on, where it is for everybody or for that group alone.
 */
export async function groupOf(
  hub: Hub,
  { to, cc, audience }: Pick<Post, "to" | "cc" | "audience">,
  via?: Incoming["via"],
): Promise<Xchan | undefined> {
  const named = audience.find((id) => id !== everybody && !isSameOrigin(id, hub.config.baseUrl));
  const meant = named === undefined ? undefined : await metActor(hub, named);
  if (meant?.xchan_pubforum === 1) return meant;
  const all = [...to, ...cc];
  // What is for some people alone is not made the business of a group that is among them.
  const addressed = all.includes(everybody) ? await findGroup(hub, all) : undefined;
  if (addressed) return addressed;
  const group = groupAmong(via);
  // What names nobody is for somebody who is not named.
  const isForIt =
    all.includes(everybody) || (all.length > 0 && all.every((id) => group && isSameId(id, group.xchan_hash)));
  return isForIt ? group : undefined;
}

/** Who hands something on, if that is a group. */
export function groupAmong(via: Incoming["via"]): Xchan | undefined {
  return via?.actor.xchan_pubforum === 1 ? via.actor : undefined;
}
