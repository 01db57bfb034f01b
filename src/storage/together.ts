type Waiting<T, R> = { one: T; resolve(result: R): void; reject(error: unknown): void };

/**
 * Does at once what several ask for: whoever comes while it is being done waits, and goes with all who have come by then, at most
 * `most` of them. `work` answers in the order of what it is given. Where it fails for several, it is done for each alone.
 */
export function together<T, R>(most: number, work: (all: readonly T[]) => Promise<R[]>): (one: T) => Promise<R> {
  const waiting: Waiting<T, R>[] = [];
  let isBusy = false;
  const alone = async ({ one, resolve, reject }: Waiting<T, R>): Promise<void> => {
    await work([one]).then(([result]) => resolve(result!), reject);
  };
  const serve = async (some: Waiting<T, R>[]): Promise<void> => {
    if (some.length === 1) return alone(some[0]!);
    const results = await work(some.map(({ one }) => one)).catch(() => undefined);
    if (results) for (const [place, { resolve }] of some.entries()) resolve(results[place]!);
    else for (const each of some) await alone(each);
  };
  const serveAll = async (): Promise<void> => {
    isBusy = true;
    while (waiting.length > 0) await serve(waiting.splice(0, most));
    isBusy = false;
  };
  return (one) =>
    new Promise((resolve, reject) => {
      waiting.push({ one, resolve, reject });
      if (!isBusy) void serveAll();
    });
}
