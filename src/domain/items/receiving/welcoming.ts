import { HubError } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { findChannelByXchan } from "../../identity/channels/channels.ts";
import { ownCopyOf } from "../find.ts";
import { selectItems, yes } from "../queries.ts";
import { admit } from "./answer-here.ts";
import { findThread } from "./place.ts";
import type { Thread } from "./place.ts";
import type { ReceivedDeed } from "./received.ts";

/**
 * The thread in which somebody of elsewhere answers or reacts to the message with this id. What forums of this hub have taken over
 * from its author stands in their threads as well: in one of these, where the author does not let them (federation contract 6.5).
 */
export async function findWelcoming(
  hub: Hub,
  id: string,
  who: Pick<ReceivedDeed, "author" | "via">,
): Promise<Thread | undefined> {
  const thread = await findThread(hub, id);
  if (!thread?.owner) return thread;
  const others = await inForums(hub, thread);
  if (others.length === 0 || (await isWelcome(hub, thread, who))) return thread;
  for (const other of others) if (await isWelcome(hub, other, who)) return other;
  return thread;
}

/** Where it stands besides, in threads of forums. */
async function inForums(hub: Hub, { parent, top }: Thread): Promise<Thread[]> {
  const tops = await selectItems(hub)
    .where("item.message_id", "=", top.message_id)
    .where("item.id", "<>", top.id)
    .where("item.item_uplink", "=", yes)
    .where("item.item_wall", "=", yes)
    .where("item.item_normal", "=", yes)
    .orderBy("item.id")
    .execute();
  const threads: Thread[] = [];
  for (const taken of tops) {
    const owner = await findChannelByXchan(hub, taken.owner_id);
    const answered = owner && (await ownCopyOf(hub, owner.channel_id, parent.id));
    if (owner && answered) threads.push({ parent, top: taken, answered, owner });
  }
  return threads;
}

async function isWelcome(
  hub: Hub,
  thread: Thread,
  { author, via }: Pick<ReceivedDeed, "author" | "via">,
): Promise<boolean> {
  try {
    await admit(hub, thread, author, via);
    return true;
  } catch (error) {
    if (error instanceof HubError && (error.kind === "denied" || error.kind === "missing")) return false;
    throw error;
  }
}
