import type { Hub } from "../../../hub.ts";
import type { Observer } from "./channel.ts";
import { findChannelByHash } from "./find-channel.ts";
import { hostOfGuest } from "./guests.ts";
import type { Xchan } from "../xchans/xchans.ts";

/** An identity as the one who looks, for questions such as `perm_allowed`. */
export async function observeAs(hub: Hub, xchan: Xchan): Promise<NonNullable<Observer>> {
  const looks = { xchanId: xchan.xchan_id, hash: xchan.xchan_hash, native: xchan.xchan_network === "zot" };
  switch (xchan.xchan_network) {
    case "token":
      return { ...looks, channelId: 0, guestOf: await hostOfGuest(hub, xchan.xchan_hash) };
    case "anon":
      return { ...looks, channelId: 0, guestOf: 0 };
    default:
      return { ...looks, channelId: (await findChannelByHash(hub, xchan.xchan_hash))?.channel_id ?? 0 };
  }
}
