import type { Hub } from "../../../hub.ts";
import { findXchan } from "../../identity/xchans/xchans.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findChannelById } from "../../identity/channels/channels.ts";
import { anyCopyOf, copyInThreadOf } from "../find.ts";
import { findKnownMessage } from "./known-message.ts";
import type { KnownMessage } from "./known-message.ts";
import { threadOf } from "./place.ts";
import type { Thread } from "./place.ts";

/** A person as other hubs call them: a channel of this hub by its nick, others by their identity. */
export type Named = { hash: string } | { nick: string };

/** Whose the item with this id is, and the thread that it stands in, as far as that is known here. */
export async function ownersOf(hub: Hub, id: string): Promise<{ author?: Named; threadOwner?: Named }> {
  const known = await findKnownMessage(hub, id);
  if (!known) return {};
  const author = known.nick === null ? { hash: known.author } : { nick: known.nick };
  const thread = await threadOf(hub, known);
  const owner = thread && (await ownerOf(hub, known, thread));
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

/** Most posts stand in a thread of their author's, who is known by then. */
async function ownerOf(
  hub: Hub,
  { author_id, author }: KnownMessage,
  { top, owner }: Thread,
): Promise<Named | undefined> {
  if (owner) return { nick: owner.channel_address };
  if (top.owner_id === author_id) return { hash: author };
  const xchan = await findXchan(hub, { id: top.owner_id });
  return xchan && { hash: xchan.xchan_hash };
}
