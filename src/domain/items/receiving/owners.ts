import type { Hub } from "../../../hub.ts";
import { findXchan } from "../../identity/xchans/xchans.ts";
import { findChannelByXchan } from "../../identity/channels/channels.ts";
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

async function nameOf(hub: Hub, xchanId: number): Promise<Named | undefined> {
  const channel = await findChannelByXchan(hub, xchanId);
  if (channel) return { nick: channel.channel_address };
  const xchan = await findXchan(hub, { id: xchanId });
  return xchan && { hash: xchan.xchan_hash };
}
