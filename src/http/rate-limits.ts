import { cache } from "../caches.ts";
import { networkOf } from "../domain/identity/accounts/networks.ts";
import { shareSoon, Window } from "../domain/identity/throttles/shared-counts.ts";
import { refusal } from "../errors.ts";
import type { HubError } from "../errors.ts";
import type { Hub } from "../hub.ts";
import type { Rate } from "./exchange.ts";

type Kind = keyof typeof windows;

/**
 * Requests of one channel, or of one address without credentials, and of one token of an application; documents are what other hubs ask for (federation contract 13),
 * media what is shown of them (14).
 */
const windows = {
  read: { limit: 20_000, seconds: 900 },
  write: { limit: 10_000, seconds: 3600 },
  token: { limit: 3000, seconds: 300 },
  document: { limit: 120, seconds: 60 },
  media: { limit: 60, seconds: 60 },
} as const;

/** Who is counted: a channel or a token by its id, somebody anonymous by the address (IPv6 by the /64). */
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
  token: cache<Counted, Window>(50_000),
  document: cache<Counted, Window>(50_000),
  media: cache<Counted, Window>(50_000),
};

/** The request limits of the hub; what other processes count is known here a second later (`shared-counts.ts`). */
export function rateLimits(hub: Hub): RateLimits {
  if (!hub.config.rateLimits) return { count: () => undefined, rate: () => undefined };
  return {
    count(kind, who) {
      const now = hub.clock().getTime();
      const key = keyOf(who);
      const window = windowOf(hub, kind, key, now);
      if (window.count >= windows[kind].limit) throw tooMany(Math.ceil((window.endsAt - now) / 1000));
      if (window.add()) shareSoon(hub, `${kind} ${key}`, window);
    },
    rate(kind, who) {
      const window = windowOf(hub, kind, keyOf(who), hub.clock().getTime());
      const { limit, seconds } = windows[kind];
      return { limit, remaining: Math.max(0, limit - window.count), seconds, resetsAt: new Date(window.endsAt) };
    },
  };
}

function keyOf(who: Counted): Counted {
  return typeof who === "string" ? networkOf(who) : who;
}

/** Windows begin at the same moments in all processes. */
function windowOf(hub: Hub, kind: Kind, key: Counted, now: number): Window {
  const known = counts[kind](hub).get(key);
  if (known && known.endsAt > now) return known;
  const { limit, seconds } = windows[kind];
  const length = seconds * 1000;
  const fresh = new Window((Math.floor(now / length) + 1) * length, limit);
  counts[kind](hub).set(key, fresh);
  return fresh;
}

/** Refuses what comes too often; `retryAfter` in seconds. */
export function tooMany(retryAfter: number): HubError {
  return refusal("requests_too_many", { reason: "rate_limited", retryAfter });
}
