import { forgetActor } from "../../../domain/connections/remove-channel.ts";
import { isSameId } from "../../../domain/identity/xchans/foreign-ids.ts";
import { meetLater } from "../../../domain/peers/meet-actor.ts";
import { objectIdOf } from "./incoming.ts";
import type { Attempt, Incoming } from "./incoming.ts";

/** What people of elsewhere do about themselves (federation contract 4.3). */

/** Somebody removes themselves, with all that they wrote. */
export const deleteActor: Attempt = async (incoming) => {
  if (!isAboutActor(incoming)) return false;
  await forgetActor(incoming.hub, incoming.actor);
  return true;
};

/** Somebody describes themselves anew. Their document says so itself, with the keys that count. */
export const updateActor: Attempt = async (incoming) => {
  if (!isAboutActor(incoming)) return false;
  await meetLater(incoming.hub, incoming.actor.xchan_hash);
  return true;
};

function isAboutActor({ activity, actor }: Incoming): boolean {
  return isSameId(objectIdOf(activity) ?? "", actor.xchan_hash);
}
