import { missing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findChannelById } from "../identity/channels/find-channel.ts";
import { writeParts } from "./parts.ts";
import type { Part } from "./parts.ts";

/**
 * What belongs to a channel goes when it is removed, and an export reads for a long time. One that has lost something on the way has no
 * end, so that nobody takes it for the whole.
 */

/** Throws missing where the channel has been removed: what was read of it may have gaps. */
export async function refuseRemoved(hub: Hub, channel: Channel): Promise<void> {
  if (!(await findChannelById(hub, channel.channel_id))) throw missing("Channel");
}

/** The parts as the text of one JSON object, in pieces; it breaks off before its end where the channel is removed meanwhile. */
export async function* writeWhole(hub: Hub, channel: Channel, parts: Iterable<Part>): AsyncGenerator<string> {
  let before: string | undefined;
  for await (const piece of writeParts(parts)) {
    if (before !== undefined) yield before;
    before = piece;
  }
  await refuseRemoved(hub, channel);
  if (before !== undefined) yield before;
}
