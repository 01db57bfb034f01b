import type { Hub } from "../../hub.ts";
import { guestsAmong } from "../connections/guests.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { isGuestNetwork } from "../identity/xchans/guest-hash.ts";
import { findXchan } from "../identity/xchans/xchans.ts";
import type { XchanKey } from "../identity/xchans/xchans.ts";

/**
 * The identity of this name, as far as the channel may know of it: guests are found only by the channel that they are
 * guests of. `uid` 0 is a caller without a channel.
 */
export async function findKnown(hub: Hub, uid: number, key: XchanKey): Promise<Xchan | undefined> {
  const xchan = await findXchan(hub, key);
  return xchan && (await isKnownTo(hub, uid, xchan)) ? xchan : undefined;
}

/** May the channel know of this guest? Everybody else is known to all. */
export async function isKnownTo(hub: Hub, uid: number, xchan: Xchan): Promise<boolean> {
  if (!isGuestNetwork(xchan.xchan_network)) return true;
  if (xchan.xchan_network === "token") return (await guestsAmong(hub, uid, [xchan.xchan_hash])).length > 0;
  // Somebody without an account who commented: those who have the comment know the name.
  const written = await hub.db
    .selectFrom("item")
    .select("id")
    .where("author_id", "=", xchan.xchan_id)
    .where("uid", "=", uid)
    .limit(1)
    .executeTakeFirst();
  return written !== undefined;
}
