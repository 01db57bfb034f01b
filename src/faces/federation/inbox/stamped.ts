import { keepStamp, stampDemanded } from "../../../domain/items/receiving/stamp-demand.ts";
import type { ReceivedPost } from "../../../domain/items/receiving/received.ts";
import type { Hub } from "../../../hub.ts";
import { isStamp } from "./stamps.ts";

/**
 * Takes an answer by `take`, if it may stand below what it answers: it may need a stamp for that, which is kept then (federation contract
 * 7). `broughtBy` is who has handed it on, or its author. Undefined where it was not taken. Throws unavailable.
 */
export async function takeStamped<Taken>(
  hub: Hub,
  post: ReceivedPost,
  broughtBy: string,
  take: () => Promise<Taken>,
): Promise<Taken | undefined> {
  const { mid, replyStamp: stamp } = post;
  const demand = await stampDemanded(hub, post, broughtBy);
  if (!demand) return take();
  const mayStand = stamp === undefined ? !demand.strict : await isStamp(hub, "reply", stamp, { ...demand, act: mid });
  if (!mayStand) return undefined;
  const taken = await take();
  if (stamp !== undefined) await keepStamp(hub, mid, stamp);
  return taken;
}
