/** Numbers that look random and are the same in every run. */
export type Random = {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Mostly small, sometimes large: 0 and up, with this mean, never above `most`. */
  longTail(mean: number, most: number): number;
};

/** A generator (mulberry32) that starts from a seed. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (list) => list[below(list.length)]!,
    // Lomax with shape 2: its mean is its scale.
    longTail: (mean, most) => Math.min(most, Math.floor(mean * (1 / Math.sqrt(1 - next()) - 1) + next())),
  };
}
