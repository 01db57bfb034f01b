import { refusal } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { countAtOnce, refuseKnown } from "../throttles/at-once.ts";
import type { Bound, Count, Counted, Refuse } from "../throttles/at-once.ts";
import { networkOf } from "./networks.ts";

const period = 10 * 60;
const mostPerLogin = 100;
const mostPerAddress = 1000;

/** Guesses at one account are free up to here within a day; then each wait is twice as long as the one before. */
const freeGuesses = 100;
const day = 24 * 3600;
const longestWait = 10 * 60 * 1000;

const tooMany: Refuse = (retryAfter) => refusal("log_ins_failed", { retryAfter });

/**
 * Throws too-many after 100 failures of this login from this address, or 1,000 from the address, within ten minutes, as far as
 * this process knows of them: it hears of those of others when it counts one itself.
 */
export async function refuseTooMany(hub: Hub, login: string, address: string): Promise<void> {
  if (hub.config.rateLimits) await refuseKnown(hub, boundsOf(login, address), tooMany);
}

/**
 * Counts an attempt as a failure from its beginning, so that many at the same moment do not slip through, wherever they arrive; a
 * right password takes it back. `guesser` names those who guess at one account together, from wherever they come: they wait between
 * their guesses from the `free` one on, for ten minutes at most, and never keep waiting whoever has another name (decision 23).
 */
export async function countAttempt(
  hub: Hub,
  login: string,
  address: string,
  guesser?: string,
  free = freeGuesses,
): Promise<Counted> {
  if (!hub.config.rateLimits) return { takeBack: () => Promise.resolve() };
  const bounds = boundsOf(login, address);
  if (guesser !== undefined)
    bounds.push({ name: `guesses of ${guesser}`, seconds: day, refusedUntil: (count) => nextGuess(count, free) });
  return countAtOnce(hub, bounds, tooMany);
}

function boundsOf(login: string, address: string): Bound[] {
  const network = networkOf(address);
  return [
    { name: `log-ins from ${network}`, seconds: period, refusedUntil: endOf(mostPerAddress) },
    { name: `log-ins from ${network} ${login.slice(0, 200)}`, seconds: period, refusedUntil: endOf(mostPerLogin) },
  ];
}

function endOf(most: number): Bound["refusedUntil"] {
  return ({ count, endsAt }) => (count >= most ? endsAt : undefined);
}

function nextGuess({ count, lastAt }: Count, free: number): number | undefined {
  return count < free ? undefined : lastAt + Math.min(longestWait, 1000 * 2 ** (count - free));
}
