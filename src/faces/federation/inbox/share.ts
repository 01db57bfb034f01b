import { isKnown } from "../../../domain/items/receiving/place.ts";
import { isForAnybody } from "../../../domain/items/receiving/readers.ts";
import { receiveShare } from "../../../domain/items/receiving/receive-share.ts";
import { fetchShared } from "../../../domain/items/receiving/thread-fetch.ts";
import { audienceOf } from "../translate/received-post.ts";
import { deedOf } from "./reactions.ts";
import { inboxesOf } from "./inboxes-of.ts";
import { keepOriginal, keepPosted } from "./originals.ts";
import type { Attempt } from "./incoming.ts";

/** Somebody shares a post as it is; what is not here is fetched where it is, if anybody here is to get it. */
export const sharePost: Attempt = async (incoming) => {
  const { hub, activity, actor } = incoming;
  const deed = deedOf(incoming);
  if (!deed) return true;
  const audience = audienceOf(activity, await inboxesOf(incoming, activity));
  if (!(await isKnown(hub, deed.target)) && !(await isForAnybody(hub, actor, audience))) return true;
  if (await keepPosted(hub, actor, deed.target, audience)) return true;
  if ((await receiveShare(hub, deed, audience)) === "taken") {
    await fetchShared(hub, deed.target);
    return true;
  }
  if (await keepOriginal(hub, deed.target)) await receiveShare(hub, deed, audience);
  return true;
};
