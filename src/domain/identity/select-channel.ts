import { HubError } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import type { Caller } from "./channel.ts";
import { findChannelByNick } from "./find-channel.ts";

/** The same caller acting as another active channel of the account (native contract 1.10). */
export async function selectChannel(hub: Hub, caller: Caller, nick: string): Promise<Caller> {
  const wanted = nick.trim().toLowerCase();
  if (wanted === caller.channel.channel_address) return caller;
  const channel = await findChannelByNick(hub, wanted);
  if (channel?.channel_account_id !== caller.account.account_id) {
    throw new HubError("denied", "This is not an active channel of the account.", { reason: "wrong_channel" });
  }
  return { account: caller.account, channel };
}
