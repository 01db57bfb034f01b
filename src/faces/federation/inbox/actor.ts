import { forgetActor } from "../../../domain/connections/remove-channel.ts";
import { isSameId } from "../../../domain/identity/xchans/foreign-ids.ts";
import { objectIdOf } from "./incoming.ts";
import type { Attempt } from "./incoming.ts";

/** Somebody removes themselves, with all that they wrote (federation contract 4.3). */
export const deleteActor: Attempt = async ({ hub, activity, actor }) => {
  if (!isSameId(objectIdOf(activity) ?? "", actor.xchan_hash)) return false;
  await forgetActor(hub, actor);
  return true;
};
