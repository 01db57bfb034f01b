import { refusal } from "../../../errors.ts";
import type { Code } from "../../../refusals/refusals.ts";
import { cache } from "../../../caches.ts";
import type { Hub } from "../../../hub.ts";
import { networkOf } from "./networks.ts";

const period = 3600 * 1000;
const windows = cache<string, { count: number; since: number }>(20_000);

/** Counts something that strangers do; throws too-many (`code`) when one network has done it so often within an hour. */
export function countByNetwork(
  hub: Hub,
  code: Extract<Code, "sign_ups_limited" | "mails_limited">,
  address: string,
  most: number,
): { takeBack(): void } {
  if (!hub.config.rateLimits) return { takeBack: () => undefined };
  const all = windows(hub);
  const key = `${code} ${networkOf(address)}`;
  const moment = hub.clock().getTime();
  const known = all.get(key);
  const window = known && known.since + period > moment ? known : { count: 0, since: moment };
  if (window.count >= most) throw refusal(code, { retryAfter: Math.ceil((window.since + period - moment) / 1000) });
  window.count += 1;
  all.set(key, window);
  return { takeBack: () => void (window.count -= 1) };
}
