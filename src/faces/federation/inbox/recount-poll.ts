import { findRecountable, receiveCounts } from "../../../domain/items/receiving/recount-poll.ts";
import type { Hub } from "../../../hub.ts";
import { retrieve } from "../retrieve/retrieve.ts";
import { postFound } from "./originals.ts";

/** Reads a poll of elsewhere again, in the name of somebody who has it; a job. What cannot be had now is asked for another time. */
export async function recountPoll(hub: Hub, messageId: number): Promise<void> {
  const poll = await findRecountable(hub, messageId);
  if (!poll) return;
  const found = await retrieve(hub, poll.mid, poll.reader);
  const post = "fault" in found ? undefined : await postFound(hub, poll.mid, found);
  if (post) await receiveCounts(hub, post);
}
