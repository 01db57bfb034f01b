import { receiveShare } from "../../../domain/items/receiving/receive-share.ts";
import { audienceOf } from "../translate/received-post.ts";
import { deedOf } from "./reactions.ts";
import type { Attempt } from "./incoming.ts";

/** Somebody shares a post as it is. */
export const sharePost: Attempt = async (incoming) => {
  const { hub, activity, recipients } = incoming;
  const deed = deedOf(incoming);
  if (!deed) return true;
  const audience = audienceOf(
    activity,
    recipients.map(({ channel_id }) => channel_id),
  );
  await receiveShare(hub, deed, audience);
  return true;
};
