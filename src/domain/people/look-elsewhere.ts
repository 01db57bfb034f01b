import { cache, oncePerHub } from "../../caches.ts";
import { refusal } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { isHere, isWebUrl } from "../identity/xchans/web-url.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { bareName } from "./find-person.ts";

/**
 * Why nothing came of a look-up: nobody has that address, the other side does not let the hub look (or the site has nothing to do
 * with it), it does not answer, or there is nothing that can be read.
 */
export type LookFault = "unknown" | "refused" | "silent" | "unusable";

/** Whom or what was found elsewhere; it is stored, and a post is there for the channel that asked: by its mid. */
export type Looked = { person: Xchan } | { post: string } | { fault: LookFault };

/** Asks others in the name of a channel who has an address, or what is there. */
export type LookUp = (hub: Hub, channel: Channel, address: string, signal: AbortSignal) => Promise<Looked>;

/** The face that knows how others are asked says so when the hub is put together; without one nobody is found. */
const looks = oncePerHub((): { by?: LookUp } => ({}));

export function lookBy(hub: Hub, look: LookUp): void {
  looks(hub).by = look;
}

const longest = 10_000;

/**
 * Looks up an address of somewhere else: `nick@host`, also with `@` before it, or that of a page of a person or post (federation
 * contract 17). For those with a log-in, in all their requests 30 times an hour; it takes 10 seconds at the most. What is no such
 * address is not looked up, and not counted. Throws too-many.
 */
export async function lookElsewhere(hub: Hub, channel: Channel, text: string): Promise<Looked> {
  const look = looks(hub).by;
  if (!look || !isElsewhere(hub, text)) return { fault: "unknown" };
  count(hub, channel.channel_account_id);
  return lookInTime(hub, channel, text, look);
}

/** The same, for work that keeps to a bound of its own. */
export async function lookInTime(hub: Hub, channel: Channel, text: string, look: LookUp): Promise<Looked> {
  const signal = AbortSignal.timeout(longest);
  const late = new Promise<Looked>((resolve) =>
    signal.addEventListener("abort", () => resolve({ fault: "silent" }), { once: true }),
  );
  return Promise.race([look(hub, channel, text.trim(), signal), late]);
}

/** Is it the address of somebody, or of something, at another server? */
export function isElsewhere(hub: Hub, text: string): boolean {
  const address = text.trim();
  if (isWebUrl(address)) return !isHere(hub, address);
  const name = bareName(address);
  return /^[^\s@/]+@[^\s@/]+$/.test(name) && !isHere(hub, name);
}

const mostAnHour = 30;
const hour = 3600 * 1000;

const counted = cache<number, { times: number; endsAt: number }>(10_000);

function count(hub: Hub, account: number): void {
  if (!hub.config.rateLimits) return;
  const now = hub.clock().getTime();
  const known = counted(hub).get(account);
  const mine = known && known.endsAt > now ? known : { times: 0, endsAt: now + hour };
  if (mine.times >= mostAnHour)
    throw refusal("looked_up_too_often", { most: mostAnHour, retryAfter: Math.ceil((mine.endsAt - now) / 1000) });
  mine.times++;
  counted(hub).set(account, mine);
}
