import { inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { addDeed } from "../../../jobs/queue.ts";
import { findAddressee } from "../../identity/xchans/actors.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { rememberSent } from "../sent-to.ts";
import { findThread } from "./place.ts";
import { wanting } from "./readers.ts";

/**
 * Somebody of elsewhere wants to hear what is said below a post of this hub, as Friendica asks (federation contract 15): they get what
 * comes in that thread from now on. Whoever is unwelcome to its owner hears nothing, nor does anybody of what is not for everybody.
 */
export async function receiveSubscription(hub: Hub, person: Xchan, follow: string, post: string): Promise<void> {
  const thread = await findThread(hub, post);
  const owner = thread?.owner;
  if (!owner || thread.top.item_private !== 0) return;
  const [reader] = await wanting(hub, person, [owner.channel_id]);
  const addressee = await findAddressee(hub, person.xchan_hash);
  if (!reader || !addressee) return;
  const { inbox, shared_inbox, xchan_id } = addressee;
  const target = { inbox: shared_inbox || inbox, people: [xchan_id], shared: shared_inbox !== "" };
  await inTransaction(hub, async (hub) => {
    await rememberSent(hub, thread.top.message_id, [target]);
    const stamp = now(hub);
    await addDeed(hub, owner.channel_id, { deed: "accept", follow, person: person.xchan_hash, stamp, post });
  });
}
