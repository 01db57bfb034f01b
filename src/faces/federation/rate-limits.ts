import { cache } from "../../caches.ts";
import { networkOf } from "../../domain/identity/accounts/networks.ts";
import type { Hub } from "../../hub.ts";
import { allowance } from "../../http/allowances.ts";
import { tooMany } from "../../http/rate-limits.ts";

/** How often others may come (federation contract 13), for each process. Addresses count by their network, hosts by their whole name. */

const deliveriesOfAddress = allowance({ perMinute: 600, burst: 1200 });
const deliveriesOfHost = allowance({ perMinute: 300, burst: 600 });
const readsOfHost = allowance({ perMinute: 600, burst: 600 });

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

type Forger = { failed: number; endsAt: number; refusedUntil: number };

const forgers = cache<string, Forger>(50_000);
const mostFailed = 60;
const minute = 60_000;

/** A delivery whose signature does not hold. */
export function countFailedSignature(hub: Hub, address: string): void {
  if (!hub.config.rateLimits) return;
  const now = hub.clock().getTime();
  const network = networkOf(address);
  const known = forgers(hub).get(network);
  const forger = known && known.endsAt > now ? known : { failed: 0, endsAt: now + minute, refusedUntil: 0 };
  if (++forger.failed >= mostFailed) forger.refusedUntil = now + 10 * minute;
  forgers(hub).set(network, { ...forger, endsAt: Math.max(forger.endsAt, forger.refusedUntil) });
}

function refuseForgers(hub: Hub, network: string): void {
  const wait = (forgers(hub).get(network)?.refusedUntil ?? 0) - hub.clock().getTime();
  if (wait > 0) throw tooMany(Math.ceil(wait / 1000));
}
