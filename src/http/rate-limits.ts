import { networkOf } from "../domain/identity/accounts/networks.ts";
import { HubError } from "../errors.ts";
import { cache } from "../caches.ts";
import type { Hub } from "../hub.ts";
import type { Rate } from "./exchange.ts";

type Kind = keyof typeof windows;
type Window = { count: number; endsAt: number };

/**
 * Requests of one channel, or of one address without credentials; documents are what other hubs ask for (federation contract 13),
 * media what is shown of them (14).
 */
const windows = {
  read: { limit: 20_000, seconds: 900 },
  write: { limit: 10_000, seconds: 3600 },
  document: { limit: 120, seconds: 60 },
  media: { limit: 60, seconds: 60 },
} as const;

/** Who is counted: a channel by its id, somebody anonymous by the address (IPv6 by the /64). */
export type Counted = number | string;

export type RateLimits = {
  /** Counts one request; throws too-many when there is none left. */
  count(kind: Kind, who: Counted): void;
  /** What is left; undefined where the hub does not limit. */
  rate(kind: Kind, who: Counted): Rate | undefined;
};

const counts = {
  read: cache<Counted, Window>(50_000),
  write: cache<Counted, Window>(50_000),
  document: cache<Counted, Window>(50_000),
  media: cache<Counted, Window>(50_000),
};

/** The request limits of this process. */
export function rateLimits(hub: Hub): RateLimits {
  if (!hub.config.rateLimits) return { count: () => undefined, rate: () => undefined };
  const windowOf = (kind: Kind, who: Counted, now: number): Window => {
    const key = typeof who === "string" ? networkOf(who) : who;
    const known = counts[kind](hub).get(key);
    if (known && known.endsAt > now) return known;
    const fresh = { count: 0, endsAt: now + windows[kind].seconds * 1000 };
    counts[kind](hub).set(key, fresh);
    return fresh;
  };
  return {
    count(kind, who) {
      const now = hub.clock().getTime();
      const window = windowOf(kind, who, now);
      if (window.count >= windows[kind].limit) throw tooMany(Math.ceil((window.endsAt - now) / 1000));
      window.count++;
    },
    rate(kind, who) {
      const window = windowOf(kind, who, hub.clock().getTime());
      const { limit, seconds } = windows[kind];
      return { limit, remaining: limit - window.count, seconds, resetsAt: new Date(window.endsAt) };
    },
  };
}

/** Refuses what comes too often; `retryAfter` in seconds. */
export function tooMany(retryAfter: number): HubError {
  return new HubError("too-many", "Too many requests.", { reason: "rate_limited", retryAfter });
}
