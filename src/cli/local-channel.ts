import type { Channel } from "../domain/identity/channels/channel.ts";
import { findChannelByNick } from "../domain/identity/channels/channels.ts";
import { missing } from "../errors.ts";
import type { Hub } from "../hub.ts";

/** The channel of this hub that the operator means. */
export async function localChannel(hub: Hub, nick: string): Promise<Channel> {
  const channel = await findChannelByNick(hub, nick);
  if (!channel) throw missing(`Channel ${nick}`);
  return channel;
}
