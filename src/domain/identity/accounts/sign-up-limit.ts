import { HubError } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { networkOf } from "./networks.ts";

const most = 5;
const period = 3600 * 1000;

/** Counts a new account of this network; throws too-many when there have been five within an hour. */
export function countSignUp(hub: Hub, address: string): { takeBack(): void } {
  if (!hub.config.rateLimits) return { takeBack: () => undefined };
  const all = hub.memory.map<string, { count: number; since: number }>("identity: sign-ups", 10_000);
  const network = networkOf(address);
  const moment = hub.clock().getTime();
  const known = all.get(network);
  const window = known && known.since + period > moment ? known : { count: 0, since: moment };
  if (window.count >= most)
    throw new HubError("too-many", "There are many new accounts from your network. Try again later.", {
      reason: "rate_limited",
      retryAfter: Math.ceil((window.since + period - moment) / 1000),
    });
  window.count += 1;
  all.set(network, window);
  return { takeBack: () => void (window.count -= 1) };
}
