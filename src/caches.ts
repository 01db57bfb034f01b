/** A map that holds no more than so many entries: beyond them the oldest one goes. */
export type Cache<K, V> = {
  readonly size: number;
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
};

/** Gets from a hub what its module keeps there; see `oncePerHub`. */
type Kept<T> = (hub: HubOfCaches) => T;

export type HubOfCaches = { caches: Caches };

/**
 * What modules keep of a hub between requests because it is costly to make again. It is gone after a restart, and another
 * process has its own.
 */
export class Caches {
  readonly #kept = new Map<Kept<unknown>, unknown>();

  /** What belongs to this owner here, made when it is first asked for. */
  of<T>(owner: Kept<T>, make: () => T): T {
    const known = this.#kept.get(owner);
    if (known !== undefined) return known as T;
    const made = make();
    this.#kept.set(owner, made);
    return made;
  }
}

/** Declares something of which each hub has one, as long as it runs: the module that owns it asks for it by this function. */
export function oncePerHub<T extends object | string>(make: () => T): Kept<T> {
  const kept: Kept<T> = ({ caches }) => caches.of(kept, make);
  return kept;
}

/** Declares a cache with room for `most` entries. */
export function cache<K, V>(most: number): Kept<Cache<K, V>> {
  return oncePerHub(() => boundedMap<K, V>(most));
}

/** Beyond `most` entries the oldest one goes; where they are weighed, as many of the oldest ones as are beyond that weight. */
export function boundedMap<K, V>(most: number, weigh: (value: V) => number = () => 1): Cache<K, V> {
  const map = new Map<K, V>();
  let weight = 0;
  const forget = (key: K): void => {
    const known = map.get(key);
    if (known !== undefined && map.delete(key)) weight -= weigh(known);
  };
  return {
    get size() {
      return map.size;
    },
    get: (key) => map.get(key),
    set(key, value) {
      forget(key);
      weight += weigh(value);
      for (const oldest of map.keys()) {
        if (weight <= most) break;
        forget(oldest);
      }
      map.set(key, value);
    },
    delete: forget,
  };
}
