import type { Hub } from "../../../hub.ts";
import { siteSettings } from "../site/site-settings.ts";
import type { Xchan } from "../xchans/xchans.ts";
import { findChannelByHash } from "./find-channel.ts";
import { hostOfGuest } from "./guests.ts";
import { guestObserver, observerElsewhere } from "./observer.ts";
import type { Observer } from "./observer.ts";

/** An identity as the one who looks, for questions such as `perm_allowed`. */
export async function observeAs(hub: Hub, xchan: Xchan): Promise<Observer> {
  switch (xchan.xchan_network) {
    case "token":
      return guestObserver(xchan, await hostOfGuest(hub, xchan.xchan_hash), await siteSettings(hub));
    case "anon":
      return guestObserver(xchan, 0, await siteSettings(hub));
    default: {
      const channel = await findChannelByHash(hub, xchan.xchan_hash);
      return { ...observerElsewhere(xchan), channelId: channel?.channel_id ?? 0 };
    }
  }
}
