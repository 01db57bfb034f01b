import { cache } from "../../caches.ts";
import { networkOf } from "../../domain/identity/accounts/networks.ts";
import { shareSoon, Window } from "../../domain/identity/throttles/shared-counts.ts";
import type { Hub } from "../../hub.ts";
import { allowance } from "../../http/allowances.ts";
import { tooMany } from "../../http/rate-limits.ts";

/** How often others may come (federation contract 13). Addresses count by their network, hosts by their whole name. */

const deliveriesOfAddress = allowance({ of: "deliveries from", perMinute: 600, burst: 1200 });
const deliveriesOfHost = allowance({ of: "deliveries of", perMinute: 300, burst: 600 });
const readsOfHost = allowance({ of: "reads of", perMinute: 600, burst: 600 });

/** A delivery, before anybody knows who has signed it. Throws too-many. */
export function countDelivery(hub: Hub, address: string): void {
  if (!hub.config.rateLimits) return;
  const network = networkOf(address);
  refuseForgers(hub, network);
  deliveriesOfAddress(hub, network);
}

/** A delivery that this host has signed. Throws too-many. */
export function countDeliveryOf(hub: Hub, host: string): void {
  if (hub.config.rateLimits) deliveriesOfHost(hub, host);
}

/** A document that this host has signed for. Throws too-many. */
export function countReadOf(hub: Hub, host: string): void {
  if (hub.config.rateLimits) readsOfHost(hub, host);
}

const minute = 60_000;
const mostForged = 60;

const forged = cache<string, Window>(50_000);
/** Until when they are refused; each process finds that out by the sum of all. */
const forgers = cache<string, number>(50_000);

/** A delivery whose signature does not hold. */
export function countFailedSignature(hub: Hub, address: string): void {
  if (!hub.config.rateLimits) return;
  const now = hub.clock().getTime();
  const network = networkOf(address);
  const known = forged(hub).get(network);
  const window = known && known.endsAt > now ? known : new Window((Math.floor(now / minute) + 1) * minute, mostForged);
  if (window !== known) forged(hub).set(network, window);
  if (window.add()) shareSoon(hub, `forged from ${network}`, window);
  if (window.count >= mostForged) forgers(hub).set(network, now + 10 * minute);
}

function refuseForgers(hub: Hub, network: string): void {
  const wait = (forgers(hub).get(network) ?? 0) - hub.clock().getTime();
  if (wait > 0) throw tooMany(Math.ceil(wait / 1000));
}
