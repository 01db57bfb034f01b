import type { Channel } from "../domain/identity/channels/channel.ts";
import { findChannelByNick } from "../domain/identity/channels/channels.ts";
import type { Hub } from "../hub.ts";
import { CommandError } from "./error-message.ts";

/** The channel of this hub that the operator means. */
export async function localChannel(hub: Hub, nick: string): Promise<Channel> {
  const channel = await findChannelByNick(hub, nick);
  if (!channel) throw new CommandError(`Channel ${nick} not found.`);
  return channel;
}
