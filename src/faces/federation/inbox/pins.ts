import { isConnection } from "../../../domain/connections/connections.ts";
import { featuredAddressOf } from "../../../domain/identity/xchans/actors.ts";
import { isSameId } from "../../../domain/identity/xchans/foreign-ids.ts";
import { receivePin } from "../../../domain/items/receiving/receive-pins.ts";
import { isKnown } from "../../../domain/items/receiving/place.ts";
import type { Hub } from "../../../hub.ts";
import type { Activity } from "../translate/activity.ts";
import { objectIdOf } from "./incoming.ts";
import type { Attempt } from "./incoming.ts";
import { takePublicTop } from "./originals.ts";

/** Is it about what its actor keeps on top of their page? */
export async function isAboutPins(hub: Hub, { type, actor, targets: [target] }: Activity): Promise<boolean> {
  const id = typeof target === "string" ? target : target?.id;
  if (id === undefined || !["Add", "Remove"].includes(type)) return false;
  const featured = await featuredAddressOf(hub, actor);
  return featured !== "" && isSameId(featured, id);
}

/** Somebody pins a post, which those who are connected with them shall find: it is taken as its own hub has it. */
export const pinned: Attempt = async ({ hub, activity, actor }) => {
  if (!(await isAboutPins(hub, activity))) return false;
  const id = objectIdOf(activity);
  if (id === undefined) return true;
  if (!(await isKnown(hub, id)) && (await isConnection(hub, actor.xchan_hash))) await takePublicTop(hub, id);
  await receivePin(hub, actor, id, true);
  return true;
};

/** Somebody does not pin it any more. */
export const unpinned: Attempt = async ({ hub, activity, actor }) => {
  if (!(await isAboutPins(hub, activity))) return false;
  const id = objectIdOf(activity);
  if (id !== undefined) await receivePin(hub, actor, id, false);
  return true;
};
