import { randomUUID } from "node:crypto";
import { refusal } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { countAtOnce } from "../identity/throttles/at-once.ts";
import type { Bound } from "../identity/throttles/at-once.ts";
import { isHere, isWebUrl } from "../identity/xchans/web-url.ts";
import { withinBudget } from "../peers/fetch-budgets.ts";
import { scoutOf } from "../peers/scout.ts";
import type { Looked, Scout } from "../peers/scout.ts";
import { bareName } from "./find-person.ts";

const longest = 10_000;

/**
 * Looks up an address of somewhere else: `nick@host`, also with `@` before it, or that of a page of a person or post (federation
 * contract 17). For those with a log-in, in all their requests 30 times an hour; it takes 10 seconds at the most. What is no such
 * address is not looked up, and not counted. Throws too-many.
 */
export async function lookElsewhere(hub: Hub, channel: Channel, text: string): Promise<Looked> {
  if (!isElsewhere(hub, text)) return { fault: "unknown" };
  await count(hub, channel.channel_account_id);
  return lookInTime(hub, channel, text, scoutOf(hub).lookUp);
}

/** The same, for work that keeps to a bound of its own. */
export async function lookInTime(hub: Hub, channel: Channel, text: string, look: Scout["lookUp"]): Promise<Looked> {
  const signal = AbortSignal.timeout(longest);
  const late = new Promise<Looked>((resolve) =>
    signal.addEventListener("abort", () => resolve({ fault: "silent" }), { once: true }),
  );
  return Promise.race([look(withinBudget(hub, `look-up ${randomUUID()}`), channel, text.trim(), signal), late]);
}

/** Is it the address of somebody, or of something, at another server? */
export function isElsewhere(hub: Hub, text: string): boolean {
  const address = text.trim();
  if (isWebUrl(address)) return !isHere(hub, address);
  const name = bareName(address);
  return /^[^\s@/]+@[^\s@/]+$/.test(name) && !isHere(hub, name);
}

const mostAnHour = 30;
const hour = 3600;

async function count(hub: Hub, account: number): Promise<void> {
  if (!hub.config.rateLimits) return;
  const bound: Bound = {
    name: `looked up by ${account}`,
    seconds: hour,
    refusedUntil: ({ count, endsAt }) => (count >= mostAnHour ? endsAt : undefined),
  };
  await countAtOnce(hub, [bound], (retryAfter) => refusal("looked_up_too_often", { most: mostAnHour, retryAfter }));
}
