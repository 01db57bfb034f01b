/** Requests that are under way, so that several who want the same share one. */
export class Merging<T> {
  readonly #underWay = new Map<string, { result: Promise<T>; waiting: number; end: AbortController }>();

  /** The work of this name, or what comes of it where it has begun already. It ends early when nobody waits for it any more. */
  async join(name: string, signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const known = this.#underWay.get(name) ?? this.#begin(name, work);
    known.waiting++;
    const { promise: left, reject } = Promise.withResolvers<never>();
    const leave = (): void => {
      if (--known.waiting === 0) known.end.abort(signal!.reason);
      reject(signal!.reason as Error);
    };
    signal?.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([known.result, left]);
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  #begin(name: string, work: (signal: AbortSignal) => Promise<T>) {
    const end = new AbortController();
    const result = work(end.signal).finally(() => this.#underWay.delete(name));
    result.catch(() => undefined);
    const begun = { result, waiting: 0, end };
    this.#underWay.set(name, begun);
    return begun;
  }
}
