/** Named maps, each bounded; the owner of a name decides what is in it. */
export class Memory {
  readonly #maps = new Map<string, Map<unknown, unknown>>();

  /** The map of that name. Beyond `most` entries the oldest one goes. */
  map<K, V>(
    name: string,
    most: number,
  ): { get(key: K): V | undefined; set(key: K, value: V): void; delete(key: K): void } {
    const map = (this.#maps.get(name) ?? this.#add(name)) as Map<K, V>;
    return {
      get: (key) => map.get(key),
      set(key, value) {
        map.delete(key);
        if (map.size >= most) map.delete(map.keys().next().value!);
        map.set(key, value);
      },
      delete: (key) => void map.delete(key),
    };
  }

  #add(name: string): Map<unknown, unknown> {
    const map = new Map<unknown, unknown>();
    this.#maps.set(name, map);
    return map;
  }
}
