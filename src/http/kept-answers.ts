import { boundedMap, oncePerHub } from "../caches.ts";
import type { Cache, HubOfCaches } from "../caches.ts";
import { databaseState } from "../hub.ts";
import type { Hub } from "../hub.ts";

/** Something that was made at one moment, and says the same until another. */
type Kept<T> = { value: T; from: number; until: number };

/** What was made of one state of the database. */
export type Shelf<T> = { state: string; kept: Cache<string, Kept<T>>; empty(): Cache<string, Kept<T>> };

/** Where one question has its answer on a shelf. */
export type Place<T> = {
  /** What was made for somebody who has asked the same, while database and moment have it so. */
  known: T | undefined;
  /** Keeps what was made now and holds `until` (milliseconds), unless something has changed meanwhile. */
  keep(value: T, until: number): Promise<void>;
};

/** Declares a shelf for answers that take so many bytes together, of which each hub has one. */
export function shelf<T extends { bytes: Uint8Array }>(mostBytes: number): (hub: HubOfCaches) => Shelf<T> {
  const empty = (): Shelf<T>["kept"] => boundedMap(mostBytes, ({ value }) => value.bytes.buffer.byteLength + besides);
  return oncePerHub((): Shelf<T> => ({ state: "", kept: empty(), empty }));
}

/** What an answer takes besides the memory that its bytes lie in, about. */
const besides = 2000;

/**
 * The place for what is asked by this key at this moment. Everything that was made of another state of the database is forgotten;
 * undefined where nobody can tell whether that is the same.
 */
export async function placeOf<T>(
  hub: Hub,
  shelves: (hub: HubOfCaches) => Shelf<T>,
  key: string,
  moment: number,
): Promise<Place<T> | undefined> {
  const state = await databaseState(hub);
  if (state === undefined) return undefined;
  const known = keptOf(shelves(hub), state).get(key);
  return {
    known: known && known.from <= moment && moment < known.until ? known.value : undefined,
    async keep(value, until) {
      // What has changed meanwhile may be in one part of the answer and not in another.
      if (moment < until && (await databaseState(hub)) === state)
        keptOf(shelves(hub), state).set(key, { value, from: moment, until });
    },
  };
}

function keptOf<T>(shelf: Shelf<T>, state: string): Shelf<T>["kept"] {
  if (shelf.state !== state) Object.assign(shelf, { state, kept: shelf.empty() });
  return shelf.kept;
}
