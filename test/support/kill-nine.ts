import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { serve } from "./command.ts";
import type { Place } from "./command.ts";

/**
 * Starts a hub, and kills it with signal 9 at some moment after it has begun to acknowledge what is done to it meanwhile;
 * `doing` ends when the hub does not answer any more.
 */
export async function killMeanwhile(
  place: Place,
  doing: () => Promise<unknown>,
  hasBegun: () => boolean,
  longest: number,
): Promise<void> {
  const running = await serve(place);
  const done = doing();
  const begins = async (): Promise<void> => {
    await expect.poll(hasBegun, { interval: 5 }).toBe(true);
  };
  // What fails while it is done says more than that nothing began.
  await Promise.race([done, begins()]);
  await sleep(Math.random() * longest);
  expect(await running.stop("SIGKILL")).toEqual({ code: null, signal: "SIGKILL" });
  await done;
}
