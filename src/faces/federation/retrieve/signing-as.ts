import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { senderOf } from "../../../domain/identity/channels/senders.ts";
import { siteActor } from "../../../domain/identity/channels/site-actor.ts";
import { missing } from "../../../errors.ts";
import type { FetchOptions } from "../../../fetch/fetch.ts";
import type { Hub } from "../../../hub.ts";
import { idsOf, siteIds } from "../ids.ts";
import type { Scheme } from "../signatures/claim.ts";
import { signerOf } from "../signatures/sign.ts";

/** What has a request signed by a channel, or by the site for those who have none. */
export async function signingAs(
  hub: Hub,
  channel: Channel | undefined,
  scheme: Scheme,
): Promise<Required<Pick<FetchOptions, "sign" | "inNameOf">>> {
  const actor = channel ? idsOf(hub, channel.channel_address).actor : siteIds(hub).actor;
  const sender = await senderOf(hub, (channel ?? (await siteActor(hub))).channel_id);
  if (!sender) throw missing("Channel");
  const key = { id: `${actor}#${sender.keyName}`, object: sender.key };
  return { sign: signerOf(key, scheme, hub.clock), inNameOf: `${actor} ${scheme}` };
}
