import type { Hub } from "../../hub.ts";
import type { Observer } from "./channel.ts";
import { findChannelByHash } from "./find-channel.ts";
import type { Xchan } from "./xchans.ts";

/** An identity as the one who looks, for questions such as native contract 6.20. */
export async function observeAs(hub: Hub, xchan: Xchan): Promise<NonNullable<Observer>> {
  const channel = await findChannelByHash(hub, xchan.xchan_hash);
  return {
    xchanId: xchan.xchan_id,
    hash: xchan.xchan_hash,
    native: xchan.xchan_network === "zot",
    channelId: channel?.channel_id ?? 0,
  };
}
