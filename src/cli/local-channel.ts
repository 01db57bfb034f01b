import type { Channel } from "../domain/identity/channel.ts";
import { findChannelByNick } from "../domain/identity/channels.ts";
import { missing } from "../errors.ts";
import type { Hub } from "../hub.ts";

/** The channel of this hub that the operator means. */
export async function localChannel(hub: Hub, nick: string): Promise<Channel> {
  const channel = await findChannelByNick(hub, nick);
  if (!channel) throw missing(`Channel ${nick}`);
  return channel;
}
