import { HubError } from "../../../errors.ts";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { addDeed } from "../../../jobs/queue.ts";
import { findThread } from "./place.ts";
import { receiveReaction } from "./receive-reaction.ts";
import type { ReceivedDeed } from "./received.ts";

/**
 * Somebody of elsewhere joins an event: they will attend, and hear whether they may (federation contract 4.3). Where comments of
 * theirs wait for its owner, so does this, and they hear when that is decided. Whoever may not see it hears nothing. Throws missing.
 */
export async function receiveJoin(hub: Hub, deed: ReceivedDeed): Promise<void> {
  try {
    await inTransaction(hub, async (hub) => {
      if (!(await receiveReaction(hub, deed, "attendyes", { mayWait: true }))) await answerJoin(hub, deed, true);
    });
  } catch (error) {
    if (!(error instanceof HubError) || error.kind !== "denied") throw error;
    await inTransaction(hub, (hub) => answerJoin(hub, deed, false));
  }
}

/** The maker of an event of this hub answers. */
async function answerJoin(hub: Hub, { mid, author, target }: ReceivedDeed, accepted: boolean): Promise<void> {
  const thread = await findThread(hub, target);
  if (!thread?.owner || thread.answered.resource_type !== "event") return;
  const { channel_id } = thread.owner;
  const person = author.xchan_hash;
  await addDeed(hub, channel_id, { deed: "joined", join: mid, person, event: thread.answered.uuid, accepted });
}
