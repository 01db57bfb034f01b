import { isSameOrigin } from "../../../domain/identity/xchans/foreign-ids.ts";
import { receiveHandedBack } from "../../../domain/items/receiving/handed-back.ts";
import type { Activity } from "../translate/activity.ts";
import { audienceOf } from "../translate/received-post.ts";
import type { Attempt } from "./incoming.ts";

/** Activities that carry others: groups and owners of threads hand on what others did (federation contract 4.3). */

/**
 * The owner of a thread adds what somebody of this hub did to its container, or announces it as a group: it is for those, too, whom the
 * owner names.
 */
export const handedBack: Attempt = async ({ hub, activity, actor }) => {
  const [object] = activity.objects;
  if (typeof object !== "object" || !isAboutActivity(activity)) return false;
  const [id, doer] = [object.id, object.oneId("actor")];
  if (id === undefined || doer === undefined || !isSameOrigin(doer, hub.config.baseUrl)) return false;
  await receiveHandedBack(hub, actor, id.replace(/#.*/, ""), audienceOf(activity, []));
  return true;
};

/** The owner of a thread adds what somebody did to its container (FEP-171b). */
export const addEnclosed: Attempt = async ({ activity, takeEnclosed }) => {
  if (!isAboutActivity(activity)) return false;
  await takeEnclosed();
  return true;
};

/** A group announces what somebody did; nobody else's word counts for that. */
export const announceEnclosed: Attempt = async ({ activity, actor, takeEnclosed }) => {
  if (!isAboutActivity(activity)) return false;
  if (actor.xchan_pubforum === 1) await takeEnclosed();
  return true;
};

function isAboutActivity({ objects: [object] }: Activity): boolean {
  return typeof object === "object" && object.has("actor") && object.has("object");
}
