import { refusal } from "../../../errors.ts";
import type { Code } from "../../../refusals/refusals.ts";
import type { Hub } from "../../../hub.ts";
import { countAtOnce } from "../throttles/at-once.ts";
import type { Counted } from "../throttles/at-once.ts";
import { networkOf } from "./networks.ts";

const hour = 3600;

/** Counts something that strangers do; throws too-many (`code`) when one network has done it so often within an hour. */
export async function countByNetwork(
  hub: Hub,
  code: Extract<Code, "sign_ups_limited" | "mails_limited">,
  address: string,
  most: number,
): Promise<Counted> {
  if (!hub.config.rateLimits) return { takeBack: () => Promise.resolve() };
  const bound = {
    name: `${code} ${networkOf(address)}`,
    seconds: hour,
    refusedUntil: ({ count, endsAt }: { count: number; endsAt: number }) => (count >= most ? endsAt : undefined),
  };
  return countAtOnce(hub, [bound], (retryAfter) => refusal(code, { retryAfter }));
}
