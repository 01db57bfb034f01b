import { HubError } from "../errors.ts";
import { cache } from "../caches.ts";
import { Bucket, shareSoon } from "../domain/identity/throttles/shared-counts.ts";
import type { Hub } from "../hub.ts";
import { tooMany } from "./rate-limits.ts";

/** So many a minute, and so many at once after a while without any; `of` says what is counted. */
export type Allowance = { of: string; perMinute: number; burst: number };

type Take = (hub: Hub, who: string) => void;

const most = 50_000;

/**
 * Declares something of which each of many (hosts, addresses) has so much in all processes together, which tell each other once a
 * second. The function takes one of them for `who`, and throws too-many where none is left.
 */
export function allowance({ of, perMinute, burst }: Allowance): Take {
  const buckets = cache<string, Bucket>(most);
  return (hub, who) => {
    const now = hub.clock().getTime();
    const known = buckets(hub).get(who);
    const bucket = known ?? new Bucket(Math.round(60_000 / perMinute), burst);
    if (!known) buckets(hub).set(who, bucket);
    const wait = bucket.wait(now);
    if (wait > 0) throw tooMany(Math.ceil(wait / 1000));
    if (bucket.take(now)) shareSoon(hub, `${of} ${who}`, bucket);
  };
}

/** Takes one, and answers whether there was one left. */
export function isWithin(take: Take, hub: Hub, who: string): boolean {
  try {
    take(hub, who);
    return true;
  } catch (error) {
    if (error instanceof HubError) return false;
    throw error;
  }
}
