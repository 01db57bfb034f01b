import { HubError } from "../../errors.ts";
import type { Hub } from "../../hub.ts";

const period = 10 * 60 * 1000;
const mostPerLogin = 100;
const mostPerAddress = 1000;

type Count = { failures: number; since: number };

/**
 * Throws too-many after 100 failures of this login from this address, or 1,000 from the address, within ten minutes
 * (native contract 1.9). Never by the login alone, since strangers could then lock a person out.
 */
export function refuseTooMany(hub: Hub, login: string, address: string): void {
  if (!hub.config.rateLimits) return;
  const total = current(hub, address);
  if (!total) return;
  if (total.failures >= mostPerAddress) throw tooMany(hub, total);
  const own = current(hub, both(login, address));
  if (own && own.failures >= mostPerLogin) throw tooMany(hub, own);
}

/**
 * Counts an attempt as a failure from its beginning, so that many at the same moment do not slip through;
 * a right password takes it back.
 */
export function countAttempt(hub: Hub, login: string, address: string): { takeBack(): void } {
  if (!hub.config.rateLimits) return { takeBack: () => undefined };
  refuseTooMany(hub, login, address);
  const counts = [address, both(login, address)].map((key) => current(hub, key) ?? start(hub, key));
  for (const count of counts) count.failures += 1;
  return {
    takeBack() {
      for (const count of counts) count.failures -= 1;
    },
  };
}

function counts(hub: Hub) {
  return hub.memory.map<string, Count>("identity: failed log-ins", 100_000);
}

function current(hub: Hub, key: string): Count | undefined {
  const count = counts(hub).get(key);
  return count && count.since + period > hub.clock().getTime() ? count : undefined;
}

function start(hub: Hub, key: string): Count {
  const count = { failures: 0, since: hub.clock().getTime() };
  counts(hub).set(key, count);
  return count;
}

function both(login: string, address: string): string {
  return `${address} ${login.slice(0, 200)}`;
}

function tooMany(hub: Hub, count: Count): HubError {
  const retryAfter = Math.max(1, Math.ceil((count.since + period - hub.clock().getTime()) / 1000));
  return new HubError("too-many", "Too many failed log-ins. Try again later.", { reason: "rate_limited", retryAfter });
}
