import type { Hub } from "../../../hub.ts";
import type { Channel } from "../channels/channel.ts";
import { findAccountById, isInOrder } from "./accounts.ts";

/** Is what was begun in the name of a channel still to be done: does it live here, with an account that is in order? */
export async function stillActs(
  hub: Hub,
  { channel_account_id, channel_moved }: Pick<Channel, "channel_account_id" | "channel_moved">,
): Promise<boolean> {
  if (channel_moved !== "") return false;
  const account = await findAccountById(hub, channel_account_id);
  return account !== undefined && isInOrder(hub, account);
}
