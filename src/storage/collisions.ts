import { setTimeout as sleep } from "node:timers/promises";
import { Collision } from "../errors.ts";

/** What collides with another transaction begins anew so many times at most. */
export const mostRepetitions = 5;

const shortestMilliseconds = 10;

/** Does it, and what collides with another transaction anew. */
export async function againAfterCollisions<T>(work: () => Promise<T>): Promise<T> {
  for (let collisions = 0; ; collisions++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Collision) || collisions === mostRepetitions) throw error;
      await stepAside(collisions);
    }
  }
}

/** Lets the other transaction go first: whoever begins anew at once may take from it again what it waits for. */
async function stepAside(repetitions: number): Promise<void> {
  await sleep(shortestMilliseconds * 2 ** repetitions * (1 + Math.random()));
}
