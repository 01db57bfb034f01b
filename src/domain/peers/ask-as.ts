import { oncePerHub } from "../../caches.ts";
import type { FetchOptions } from "../../fetch/fetch.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";

/** Asks another server in the name of a channel, which signs the request. */
type Ask = (hub: Hub, url: string, channel: Channel, options: FetchOptions) => Promise<Response>;

/** The face that knows how requests are signed says so when the hub is put together. */
const asks = oncePerHub((): { by?: Ask } => ({}));

export function askBy(hub: Hub, ask: Ask): void {
  asks(hub).by = ask;
}

/** Asks another server for what it shows to this channel, and may not show to everybody; without a face, as anybody. */
export async function askAs(hub: Hub, url: string, channel: Channel, options: FetchOptions): Promise<Response> {
  const { by } = asks(hub);
  return by ? by(hub, url, channel, options) : hub.fetch(url, options);
}
