import { setTimeout as sleep } from "node:timers/promises";

/** What collides with another transaction begins anew so many times at most. */
export const mostRepetitions = 5;

const shortestMilliseconds = 10;

/** Lets the other transaction go first: whoever begins anew at once may take from it again what it waits for. */
export async function stepAside(repetitions: number): Promise<void> {
  await sleep(shortestMilliseconds * 2 ** repetitions * (1 + Math.random()));
}
