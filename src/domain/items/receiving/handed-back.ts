import type { Hub } from "../../../hub.ts";
import { findChannelByXchan } from "../../identity/channels/channels.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { deliverAnswer } from "../delivery/deliver.ts";
import { ownCopyOf } from "../find.ts";
import { findKnownMessage } from "./known-message.ts";
import { audienceHere } from "./readers.ts";

/**
 * The owner of a thread of elsewhere says for whom what somebody here said in it is besides, by the id of what was said: in a private
 * thread nobody here but its author had it, since its owner knows who reads there (federation contract 6.3; decision 171). Only those
 * get it who are named and have the thread.
 */
export async function receiveHandedBack(
  hub: Hub,
  owner: Xchan,
  id: string,
  addresses: readonly string[],
): Promise<void> {
  const known = await findKnownMessage(hub, id);
  const author = known && (await findChannelByXchan(hub, known.author_id));
  const own = author && (await ownCopyOf(hub, author.channel_id, known.id));
  if (!own || own.owner_id !== owner.xchan_id || own.item_thread_top === 1) return;
  const { named } = await audienceHere(hub, owner, { for: "named", addresses, inboxes: [] });
  await deliverAnswer(hub, author.channel_id, known.id, named);
}
