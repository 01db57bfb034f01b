import type { Hub } from "../../../hub.ts";
import { findXchan } from "../../identity/xchans/xchans.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findChannelById, findChannelByXchan } from "../../identity/channels/channels.ts";
import { anyCopyOf, copyInThreadOf } from "../find.ts";
import { findKnownMessage } from "./known-message.ts";
import { findThread } from "./place.ts";

/** A person as other hubs call them: a channel of this hub by its nick, others by their identity. */
export type Named = { hash: string } | { nick: string };

/** Whose the item with this id is, and the thread that it stands in, as far as that is known here. */
export async function ownersOf(hub: Hub, id: string): Promise<{ author?: Named; threadOwner?: Named }> {
  const known = await findKnownMessage(hub, id);
  if (!known) return {};
  const author = known.nick === null ? { hash: known.author } : { nick: known.nick };
  const thread = await findThread(hub, id);
  const owner = thread && (await nameOf(hub, thread.top.owner_id));
  return owner ? { author, threadOwner: owner } : { author };
}

/** Does somebody here have it in a thread of this person's, whosever thread it is to others? */
export async function isThreadOf(hub: Hub, id: string, hash: string): Promise<boolean> {
  const [known, owner] = [await findKnownMessage(hub, id), await findXchan(hub, { hash })];
  return (
    known !== undefined && owner !== undefined && (await copyInThreadOf(hub, known.id, owner.xchan_id)) !== undefined
  );
}

/**
 * In whose name the item with this id can be asked for where it comes from: somebody who has it, or nobody in particular where it
 * is for everybody. Undefined where it is not here.
 */
export async function readerOf(hub: Hub, id: string): Promise<{ reader: Channel | undefined } | undefined> {
  const known = await findKnownMessage(hub, id);
  const copy = known && (await anyCopyOf(hub, known.id));
  return copy && { reader: copy.item_private === 0 ? undefined : await findChannelById(hub, copy.uid) };
}

async function nameOf(hub: Hub, xchanId: number): Promise<Named | undefined> {
  const channel = await findChannelByXchan(hub, xchanId);
  if (channel) return { nick: channel.channel_address };
  const xchan = await findXchan(hub, { id: xchanId });
  return xchan && { hash: xchan.xchan_hash };
}
