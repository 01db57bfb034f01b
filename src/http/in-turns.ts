/** For so many milliseconds in a row one answer may hold the event loop. */
const budget = 10;

/**
 * Works through a list that may take long, in its order, and answers the results. After a while the others get a turn of the
 * event loop; a single piece of work is not interrupted.
 */
export async function inTurns<T, R>(list: readonly T[], work: (piece: T, at: number) => R): Promise<R[]> {
  const results: R[] = [];
  let began = performance.now();
  for (const [at, piece] of list.entries()) {
    if (performance.now() - began >= budget) {
      await new Promise((resolve) => setImmediate(resolve));
      began = performance.now();
    }
    results.push(work(piece, at));
  }
  return results;
}
