import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { JobPayload } from "../../jobs/kinds.ts";
import { ownLiveCopies } from "../items/timelines/live-copies.ts";
import type { LiveCopy } from "../items/timelines/live-copies.ts";
import { channelsWithWebhooks } from "../webhooks/channels-with-webhooks.ts";
import { queueWebhooks } from "../webhooks/queue-webhooks.ts";
import type { WebhookEvent } from "../webhooks/webhook-events.ts";

/** The job that adds what webhooks are told of items that have come: nothing of people whom the channel does not want to hear of. */
export async function callWebhooksOfItems(hub: Hub, { told }: JobPayload<"tell-webhooks">): Promise<void> {
  for (const { message, from, to } of told) {
    const authors = await channelsWithWebhooks(hub, message, { from, to });
    if (authors.size === 0) continue;
    const copies = await ownLiveCopies(hub, [...authors.keys()], [message], { from, to });
    const happenings = copies.flatMap((copy) => {
      const event = eventOf(copy, authors.get(copy.uid) === true);
      return event ? [{ uid: copy.uid, event, subject: copy.id }] : [];
    });
    await inTransaction(hub, (hub) => queueWebhooks(hub, happenings));
  }
}

/** Reactions and what is not to be seen are no item of their own. */
function eventOf({ isNormal, isShown, isTop }: LiveCopy, isAuthor: boolean): WebhookEvent | undefined {
  if (!isNormal || !isShown) return undefined;
  if (isTop) return isAuthor ? "post.published" : "post.received";
  return isAuthor ? "comment.published" : "comment.received";
}
