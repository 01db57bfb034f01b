import { nobodyHere } from "../../domain/identity/channels/observer.ts";
import type { Observer } from "../../domain/identity/channels/observer.ts";
import { findForeignObserver } from "../../domain/identity/channels/foreign-observer.ts";
import { findActorKey } from "../../domain/identity/xchans/actor-keys.ts";
import { suspended } from "../../domain/peers/site-blocks.ts";
import { refusal } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import type { Arrival } from "../../http/arrival.ts";
import { receivedFrom } from "./arrived.ts";
import type { PublicKeys } from "./signatures/public-keys.ts";
import { verifyRequest } from "./signatures/verify.ts";
import type { FoundKey } from "./signatures/verify.ts";

/**
 * As whom somebody reads who has signed the request (federation contract 8.3). A signature that does not hold, or whose key
 * the hub does not have, counts as none, and so does that of an actor who reads for a whole server. Nothing is fetched. Throws
 * denied for those of hubs with which the site has nothing to do.
 */
export async function signerOf(hub: Hub, keys: PublicKeys, arrival: Arrival): Promise<Observer> {
  const find = (keyId: string): Promise<FoundKey> => findKnownKey(hub, keys, keyId);
  const verdict = await verifyRequest(receivedFrom(arrival, hub.config), hub.clock(), find);
  if (verdict.signed) {
    if (await suspended(hub, new URL(verdict.owner).host)) throw refusal("host_suspended");
    return findForeignObserver(hub, verdict.owner);
  }
  if (verdict.fault !== "unsigned") hub.log.debug("A signature was not taken: {fault}", { ...verdict });
  return nobodyHere(hub);
}

async function findKnownKey(hub: Hub, keys: PublicKeys, keyId: string): Promise<FoundKey> {
  const known = await findActorKey(hub, keyId);
  if (!known) return { fault: "key_unavailable" };
  const key = keys.parse(known.key);
  return key ? { key, owner: known.owner } : { fault: "key_unsuited" };
}
