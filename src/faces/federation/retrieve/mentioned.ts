import { nameMentioned, putOffMentioned } from "../../../domain/items/receiving/ask-for-mentioned.ts";
import type { Mentioned } from "../../../domain/items/receiving/ask-for-mentioned.ts";
import { isHere } from "../../../domain/identity/xchans/web-url.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import { suspended } from "../../../domain/peers/site-blocks.ts";
import { Stopping } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { allowance, isWithin } from "../../../http/allowances.ts";
import { metActor } from "./actor.ts";
import { readAddress, webFinger } from "./web-finger.ts";

/** So many people a hub may have asked for by naming them, and so many are asked for at one host. */
const namedByHost = allowance({ of: "people named by", perMinute: 10, burst: 50 });
const askedOfHost = allowance({ of: "people asked for by name at", perMinute: 30, burst: 60 });

/**
 * Looks for those whom a post mentions by an address, where nobody is known by what the mention leads to (federation contract 4.2); a
 * job. Whoever cannot be had stays a name.
 */
export async function findMentioned(hub: Hub, mentioned: Mentioned): Promise<void> {
  if (await putOffMentioned(hub, mentioned)) return;
  for (const { href, address } of mentioned.people) {
    const found = await personAt(hub, mentioned.host, address);
    if (found) await nameMentioned(hub, mentioned.message, href, found);
  }
}

/** Whoever has this address, as their own hub and the one of the address say alike (2). */
async function personAt(hub: Hub, namedBy: string, text: string): Promise<Xchan | undefined> {
  const address = readAddress(text);
  const host = address?.split("@")[1];
  if (address === undefined || host === undefined || isHere(hub, address) || (await suspended(hub, host)))
    return undefined;
  if (!isWithin(namedByHost, hub, namedBy) || !isWithin(askedOfHost, hub, host)) return undefined;
  try {
    const finger = await webFinger(hub, address);
    const person = finger && (await metActor(hub, finger.actor));
    return person && isTheirs(address, host, person) ? person : undefined;
  } catch (error) {
    if (error instanceof Stopping) throw error;
    hub.log.debug("Nobody was found as {address}: {error}", { address, error });
    return undefined;
  }
}

/** It is the address that they go by, or one that their own host has for them. */
function isTheirs(address: string, host: string, { xchan_addr, xchan_hash }: Xchan): boolean {
  return xchan_addr.toLowerCase() === address.toLowerCase() || new URL(xchan_hash).host === host;
}
