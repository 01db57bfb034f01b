import type { HubError } from "../../../errors.ts";
import { refusal } from "../../../errors.ts";
import { cache } from "../../../caches.ts";
import type { Hub } from "../../../hub.ts";
import { networkOf } from "./networks.ts";

const period = 10 * 60 * 1000;
const mostPerLogin = 100;
const mostPerAddress = 1000;

/** Guesses at one account are free up to here within a day; then each wait is twice as long as the one before. */
const freeGuesses = 100;
const day = 24 * 3600 * 1000;
const longestWait = 10 * 60 * 1000;

type Count = { failures: number; since: number; last: number };

/**
 * Throws too-many after 100 failures of this login from this address, or 1,000 from the address, within ten minutes.
 */
export function refuseTooMany(hub: Hub, login: string, address: string): void {
  if (!hub.config.rateLimits) return;
  const network = networkOf(address);
  const total = current(hub, network, period);
  if (!total) return;
  if (total.failures >= mostPerAddress) throw tooMany(hub, total.since + period);
  const own = current(hub, both(login, network), period);
  if (own && own.failures >= mostPerLogin) throw tooMany(hub, own.since + period);
}

/**
 * Counts an attempt as a failure from its beginning, so that many at the same moment do not slip through; a right password
 * takes it back. `guesser` names those who guess at one account together, from wherever they come: they wait between their
 * guesses from the `free` one on, for ten minutes at most, and never keep waiting whoever has another name (decision 23).
 */
export function countAttempt(
  hub: Hub,
  login: string,
  address: string,
  guesser?: string,
  free = freeGuesses,
): { takeBack(): void } {
  if (!hub.config.rateLimits) return { takeBack: () => undefined };
  refuseTooMany(hub, login, address);
  if (guesser !== undefined) refuseEarly(hub, guesser, free);
  const network = networkOf(address);
  const counts = [network, both(login, network)].map((key) => current(hub, key, period) ?? start(hub, key));
  if (guesser !== undefined) counts.push(current(hub, guesser, day) ?? start(hub, guesser));
  const before = counts.map(({ last }) => last);
  for (const count of counts) {
    count.failures += 1;
    count.last = hub.clock().getTime();
  }
  return {
    takeBack() {
      for (const [index, count] of counts.entries()) {
        count.failures -= 1;
        count.last = before[index]!;
      }
    },
  };
}

function refuseEarly(hub: Hub, guesser: string, free: number): void {
  const count = current(hub, guesser, day);
  if (!count || count.failures < free) return;
  const next = count.last + Math.min(longestWait, 1000 * 2 ** (count.failures - free));
  if (next > hub.clock().getTime()) throw tooMany(hub, next);
}

const counts = cache<string, Count>(100_000);

function current(hub: Hub, key: string, period: number): Count | undefined {
  const count = counts(hub).get(key);
  return count && count.since + period > hub.clock().getTime() ? count : undefined;
}

function start(hub: Hub, key: string): Count {
  const count = { failures: 0, since: hub.clock().getTime(), last: 0 };
  counts(hub).set(key, count);
  return count;
}

function both(login: string, network: string): string {
  return `${network} ${login.slice(0, 200)}`;
}

function tooMany(hub: Hub, until: number): HubError {
  const retryAfter = Math.max(1, Math.ceil((until - hub.clock().getTime()) / 1000));
  return refusal("log_ins_failed", { retryAfter });
}
