import type { Hub } from "../../../hub.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import { findByProfile } from "../../people/find-person.ts";
import { isElsewhere, lookElsewhere } from "../../people/look-elsewhere.ts";
import type { Item } from "../types.ts";
import { findByUrl } from "./find-by-url.ts";

/** Who or what has an address, as far as the one who asks may see it. */
export type AtAddress = { person: number } | { item: Item } | undefined;

/**
 * The person or the status with this address: that of a page, or `nick@host`. For a channel the server that has it is asked
 * where the hub knows neither. Undefined for what is no address, too. Throws too-many.
 */
export async function findAddress(hub: Hub, observer: Observer, text: string, asks?: Channel): Promise<AtAddress> {
  const address = text.trim();
  if (!isAddress(address)) return undefined;
  const known = await findKnownAddress(hub, observer, address);
  if (known || !asks || !isElsewhere(hub, address)) return known;
  const looked = await lookElsewhere(hub, asks, address);
  if ("person" in looked) return { person: looked.person.xchan_id };
  return "post" in looked ? findKnownAddress(hub, observer, looked.post) : undefined;
}

/** Is this the address of a page, or that of somebody at a server? */
export function isAddress(text: string): boolean {
  return isPageAddress(text) || /^(?:acct:)?@?[^\s@/:]+@[^\s@/]+$/i.test(text);
}

/** That of a page alone. */
export function isPageAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text);
}

async function findKnownAddress(hub: Hub, observer: Observer, address: string): Promise<AtAddress> {
  const item = isPageAddress(address) ? await findByUrl(hub, observer, address) : undefined;
  if (item) return { item };
  const person = await findByProfile(hub, address);
  return person?.xchan_deleted === 0 ? { person: person.xchan_id } : undefined;
}
