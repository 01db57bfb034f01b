import type { Hub } from "../../../hub.ts";
import { findChannelByXchan } from "../../identity/channels/channels.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { deliverAnswer } from "../delivery/deliver.ts";
import { ownCopyOf } from "../find.ts";
import { findKnownMessage } from "./known-message.ts";
import { deliverPosted } from "./posted-to-group.ts";
import { audienceHere, followersAmong } from "./readers.ts";
import type { ReceivedAudience } from "./received.ts";

/**
 * The owner of a thread of elsewhere says for whom what somebody here said in it is besides, by the id of what was said: in a private
 * thread nobody here but its author had it, since its owner knows who reads there (federation contract 6.3; decision 171). Only those
 * get it who are meant and have the thread; of what was posted to a group, those who are meant and follow the group (decision 176). Answers whether it stands in a thread of theirs.
 */
export async function receiveHandedBack(hub: Hub, owner: Xchan, id: string, given: ReceivedAudience): Promise<boolean> {
  const known = await findKnownMessage(hub, id);
  const author = known && (await findChannelByXchan(hub, known.author_id));
  const own = author && (await ownCopyOf(hub, author.channel_id, known.id));
  if (!own) return false;
  const audience = await audienceHere(hub, owner, given);
  const following = (await followersAmong(hub, owner, audience, own)).map(({ channel_id }) => channel_id);
  if (own.item_thread_top === 1) return deliverPosted(hub, owner, author, own, following);
  if (own.owner_id !== owner.xchan_id) return false;
  await deliverAnswer(hub, author.channel_id, known.id, new Set([...audience.named, ...following]));
  return true;
}
