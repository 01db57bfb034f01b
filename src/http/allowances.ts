import { HubError } from "../errors.ts";
import { cache } from "../caches.ts";
import type { Hub } from "../hub.ts";
import { tooMany } from "./rate-limits.ts";

/** So many a minute, and so many at once after a while without any. */
export type Allowance = { perMinute: number; burst: number };

type Take = (hub: Hub, who: string) => void;

type Level = { left: number; at: number };

const most = 50_000;

/**
 * Declares something of which each of many (hosts, addresses) has so much, counted in the memory of this process. The function
 * takes one of them for `who`, and throws too-many where none is left.
 */
export function allowance({ perMinute, burst }: Allowance): Take {
  const levels = cache<string, Level>(most);
  return (hub, who) => {
    const now = hub.clock().getTime();
    const known = levels(hub).get(who);
    const grown = known ? known.left + ((now - known.at) / 60_000) * perMinute : burst;
    const left = Math.min(burst, grown);
    if (left < 1) throw tooMany(Math.ceil(((1 - left) / perMinute) * 60));
    if (known) Object.assign(known, { left: left - 1, at: now });
    else levels(hub).set(who, { left: left - 1, at: now });
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
