import { refusal } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findChannelByNick, listChannels } from "../../identity/channels/channels.ts";
import type { Head } from "./source.ts";

/**
 * The channel that gets a page of items, which says whose hub it is from but brings no channel: the one of that nick, else
 * the one of the account that is called as it was there, else the only one. Throws missing.
 */
export async function channelOfPage(hub: Hub, accountId: number, nick: string, head: Head): Promise<Channel> {
  const channels = await listChannels(hub, accountId);
  if (nick !== "") {
    const named = await findChannelByNick(hub, nick);
    if (named?.channel_account_id === accountId) return named;
    throw refusal("nick_of_no_channel");
  }
  const same = channels.find((channel) => channel.channel_address === head.relocate.nick);
  const found = same ?? (channels.length === 1 ? channels[0] : undefined);
  if (found) return found;
  throw refusal("page_of_unknown_channel");
}
