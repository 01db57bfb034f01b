import type { HubError } from "../../../errors.ts";
import { refusal } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { callerOf } from "./caller.ts";
import type { Caller } from "./caller.ts";
import { findChannelByNick } from "../channels/find-channel.ts";

/** The same caller acting as another active channel of the account. */
export async function selectChannel(hub: Hub, caller: Caller, nick: string): Promise<Caller> {
  const wanted = nick.trim().toLowerCase();
  if (wanted === caller.channel.channel_address) return caller;
  const channel = await findChannelByNick(hub, wanted);
  if (channel?.channel_account_id !== caller.account.account_id) throw wrongChannel();
  return callerOf(caller.account, channel);
}

/** The caller as it is, for somebody who has leave to act as that one channel. Throws denied for any other. */
export function keepChannel(caller: Caller, nick: string): Caller {
  if (nick.trim().toLowerCase() !== caller.channel.channel_address) throw wrongChannel();
  return caller;
}

function wrongChannel(): HubError {
  return refusal("wrong_channel");
}
