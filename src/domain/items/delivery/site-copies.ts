import type { Hub } from "../../../hub.ts";
import { siteChannelId } from "../../identity/channels/site-actor.ts";
import type { Recipient } from "./recipients.ts";

/**
 * Who gets a copy for everybody here of what is public elsewhere: the site's own channel (decision 162), or nobody where the operator
 * wants none.
 */
export async function forEverybody(hub: Hub): Promise<Pick<Recipient, "channel_id">[]> {
  return hub.config.publicDays === 0 ? [] : [{ channel_id: await siteChannelId(hub) }];
}
