import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { siteActor } from "../../../domain/identity/site/site-actor.ts";
import { signingKey } from "../../../domain/identity/xchans/signing.ts";
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
  const object = await signingKey(hub, (channel ?? (await siteActor(hub))).channel_id);
  return { sign: signerOf({ id: `${actor}#main-key`, object }, scheme, hub.clock), inNameOf: `${actor} ${scheme}` };
}
