import type { Hub } from "./hub.ts";

/** How often (milliseconds) the clock is looked at. */
const lookEvery = 1000;
/** By less than that (milliseconds) it may be set back: what is due then waits for it. */
const least = 10_000;

/**
 * Calls when the clock of the hub has been set back, with the moment that it would be otherwise, until that succeeds. Answers what ends it.
 */
export function watchClock(hub: Pick<Hub, "clock" | "log">, setBack: (was: Date) => Promise<void>): () => void {
  let expected = ahead(hub);
  let underWay = false;
  const look = async (): Promise<void> => {
    const found = ahead(hub);
    if (underWay) return;
    underWay = true;
    try {
      if (found < expected - least) await setBack(new Date(expected + performance.now()));
      expected = found;
    } catch (error) {
      hub.log.warning("What is due could not be set back with the clock: {error}", { error });
    } finally {
      underWay = false;
    }
  };
  const timer = setInterval(() => void look(), lookEvery);
  timer.unref();
  return () => clearInterval(timer);
}

/** By how much the clock is ahead of one that nobody sets. */
function ahead({ clock }: Pick<Hub, "clock">): number {
  return clock().getTime() - performance.now();
}
