import type { Channel } from "../../../../domain/identity/channels/channel.ts";

/** Where a chatroom of the channel is. */
export function roomPath({ channel_address: nick }: Pick<Channel, "channel_address">, id: number): string {
  return `/chat/${nick}/${id}`;
}
