import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { findChannelByNick } from "../../../domain/identity/channels/channels.ts";
import { comparableId } from "../../../domain/identity/xchans/foreign-ids.ts";
import type { Hub } from "../../../hub.ts";

/** The channel of this hub that an actor's id means. */
export async function channelAt(hub: Hub, id: string | undefined): Promise<Channel | undefined> {
  const start = `${comparableId(hub.config.baseUrl).replace(/\/$/, "")}/channel/`;
  const compared = comparableId(id ?? "");
  if (!compared.startsWith(start)) return undefined;
  const nick = compared.slice(start.length);
  const channel = await findChannelByNick(hub, nick);
  return channel?.channel_address === nick ? channel : undefined;
}
